/** A draft with what can be undone and redone. */
export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** What the last change was of, so that one that continues it is undone with it. */
  readonly subject: string | undefined;
}

/** The number of changes that can be undone. */
const pastMax = 100;

/** Begins with a state. */
export function begun<State>(present: State): History<State> {
  return { past: [], present, future: [], subject: undefined };
}

/**
 * Records a change.
 *
 * @param subject what is changed, such as the title of a panel; a change of the same subject right after is undone with
 * it. Undefined for a change that is undone alone
 */
export function recorded<State>(
  history: History<State>,
  present: State,
  subject?: string,
): History<State> {
  if (present === history.present) return history;
  const continues = subject !== undefined && subject === history.subject;
  const past = continues ? history.past : [...history.past, history.present].slice(-pastMax);
  return { past, present, future: [], subject };
}

/** Takes the last change back. */
export function undone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return {
    past: past.slice(0, -1),
    present: before,
    future: [present, ...future],
    subject: undefined,
  };
}

/** Makes the change again that was taken back last. */
export function redone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const [next, ...later] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: later, subject: undefined };
}
