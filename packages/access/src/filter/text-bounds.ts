import type { ConditionOperator } from "./operator.ts";
import { wordsOf } from "./search.ts";

/** PostgreSQL compares each word of a search with those of each row. */
const wordsMax = 100;
const wordsLengthMax = 5000;
/** PostgreSQL compiles some regular expressions in time that grows with the cube of their length. */
const regexLengthMax = 1000;

/** Returns the message for a text beyond the bounds of its operator; undefined within them. */
export function findTooLong(operator: ConditionOperator, text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  if (operator === "_search" && isSearchTooLong(text)) {
    return `_search takes at most ${wordsMax} words and ${wordsLengthMax} characters`;
  }
  if ((operator === "_regex" || operator === "_iregex") && text.length > regexLengthMax) {
    return `${operator} takes at most ${regexLengthMax} characters`;
  }
  return undefined;
}

function isSearchTooLong(text: string): boolean {
  if (text.length <= wordsMax) return false;
  return text.length > wordsLengthMax || wordsOf(text).length > wordsMax;
}
