import { readCode, writeCode } from "./code-text.ts";
import type { Definition } from "./definition.ts";

/** One state of a draft: the text of the code and the definition of the tree, which are always the same. */
interface Edition {
  /** Undefined while the text is no JSON object, so that the tree cannot show it. */
  readonly definition: Definition | undefined;
  /** The text as it was typed; undefined if the tree or a form made the definition. */
  readonly text: string | undefined;
}

/** A draft with what can be undone and redone. */
export interface EditionHistory {
  readonly past: readonly Edition[];
  readonly present: Edition;
  readonly future: readonly Edition[];
  /** The last edit, so that one that continues it is undone with it. */
  readonly last: { readonly subject: string; readonly at: number } | undefined;
}

/** The number of edits that can be undone. */
const pastMax = 100;
/** Milliseconds in which an edit of the same subject continues the last one. */
const pauseMs = 1000;

/** Begins with a definition of the service. */
export function beginHistory(definition: Definition): EditionHistory {
  return { past: [], present: { definition, text: undefined }, future: [], last: undefined };
}

/**
 * Records a change by the tree or by a form.
 *
 * @param subject what is edited; an edit of the same one shortly after is undone with it. Undefined: alone
 * @param at milliseconds
 */
export function recordDefinition(
  history: EditionHistory,
  definition: Definition,
  subject: string | undefined,
  at: number,
): EditionHistory {
  if (definition === history.present.definition) return history;
  return record(history, { definition, text: undefined }, subject, at);
}

/** Records a change of the code. */
export function recordText(history: EditionHistory, text: string, at: number): EditionHistory {
  if (text === codeOf(history.present)) return history;
  return record(history, { definition: readCode(text), text }, "code", at);
}

/** Returns the text of an edition. */
export function codeOf({ definition, text }: Edition): string {
  return text ?? writeCode(definition);
}

/** Takes the last edit back. */
export function undo(history: EditionHistory): EditionHistory {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return {
    past: past.slice(0, -1),
    present: before,
    future: [present, ...future],
    last: undefined,
  };
}

/** Makes the edit again that was taken back last. */
export function redo(history: EditionHistory): EditionHistory {
  const { past, present, future } = history;
  const [next, ...later] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: later, last: undefined };
}

function record(
  history: EditionHistory,
  present: Edition,
  subject: string | undefined,
  at: number,
): EditionHistory {
  const { last } = history;
  const continues =
    subject !== undefined && last?.subject === subject && at - last.at < pauseMs && at >= last.at;
  const past = continues ? history.past : [...history.past, history.present].slice(-pastMax);
  return { past, present, future: [], last: subject === undefined ? undefined : { subject, at } };
}
