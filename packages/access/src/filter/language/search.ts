import { quoteLiteral } from "@rowhouse/db";
import type { ConditionOperator } from "./operator.ts";

/** How the words of a search are read. */
export const searchModes = ["web", "plain", "phrase", "prefix"] as const;
export type SearchMode = (typeof searchModes)[number];

/** The options of a full-text search: `{"text": "…", "config": "german", "mode": "phrase"}`. */
export interface Search {
  /** The name of a text search configuration; null for the database's default. */
  readonly config: string | null;
  readonly mode: SearchMode;
}

const parsers: Readonly<Record<SearchMode, string>> = {
  web: "websearch_to_tsquery",
  plain: "plainto_tsquery",
  phrase: "phraseto_tsquery",
  prefix: "to_tsquery",
};

/** The message for options of another form than `readSearchOperand` takes. */
export const searchForm = `_search takes text, config (the name of a configuration) and mode (${searchModes.join(", ")})`;

/**
 * Reads a search with options: `{ "text": "…", "config": "german", "mode": "phrase" }`.
 *
 * @returns undefined for options of another form; the text is not checked
 */
export function readSearchOperand({
  text,
  config = null,
  mode = "web",
  ...others
}: Readonly<Record<string, unknown>>):
  | { readonly text: unknown; readonly search: Search }
  | undefined {
  const isKnown = Object.keys(others).length === 0 && isSearchMode(mode);
  if (!isKnown || (config !== null && !isConfigName(config))) return undefined;
  return { text, search: { config, mode } };
}

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

/** Returns the words of a text, as PostgreSQL's parser would separate most of them. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
}

/** Whether a text can be the name of a configuration; others need quotes in PostgreSQL and are not supported. */
function isConfigName(name: unknown): name is string {
  return typeof name === "string" && /^[a-z_][a-z0-9_]{0,62}$/.test(name);
}

function isSearchMode(mode: unknown): mode is SearchMode {
  return searchModes.some((known) => known === mode);
}

/** Returns the arguments of a text search function: the configuration as a constant, as an index on the expression has it. */
function argumentsSql({ config }: Search, text: string): string {
  return config === null ? text : `${quoteLiteral(config)}::regconfig, ${text}`;
}

/** Returns SQL for the query of a search, whose placed text is as `prefixQuery` returns it for the mode `prefix`. */
export function searchQuerySql(search: Search, placed: string): string {
  return `pg_catalog.${parsers[search.mode]}(${argumentsSql(search, placed)})`;
}

export function searchVectorSql(search: Search, text: string): string {
  return `pg_catalog.to_tsvector(${argumentsSql(search, text)})`;
}

/** Writes words as a query in which each is the beginning of a word, and all must occur. */
export function prefixQuery(text: string): string {
  return wordsOf(text)
    .map((word) => `'${word}':*`)
    .join(" & ");
}
