/** A statement that was run. */
export interface PastStatement {
  readonly text: string;
  /** When, in ISO 8601. */
  readonly at: string;
  readonly hasFailed: boolean;
}

const historyMax = 50;
/** Longer texts are not kept in the history: the storage of an origin has about five million characters. */
const keptLengthMax = 50_000;

/** Returns the history with a statement at its head. A repeated statement is listed once. */
export function addToHistory(
  history: readonly PastStatement[],
  entry: PastStatement,
): readonly PastStatement[] {
  if (entry.text.length > keptLengthMax) return history;
  return [entry, ...history.filter(({ text }) => text !== entry.text)].slice(0, historyMax);
}
