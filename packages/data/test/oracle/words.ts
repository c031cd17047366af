import type { Search } from "./model.ts";

/** A query of a full-text search. */
type Query =
  | { readonly kind: "WORD"; readonly word: string; readonly isPrefix: boolean }
  /** The words at these distances from the first one. */
  | { readonly kind: "PHRASE"; readonly words: readonly (readonly [at: number, word: string])[] }
  | { readonly kind: "AND" | "OR"; readonly parts: readonly Query[] }
  | { readonly kind: "NOT"; readonly part: Query };

/** The words of a text with their positions, from 1. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** In these worlds a text has no other word that `english` drops, and none that it shortens. */
const isDropped = (word: string, { config }: Search): boolean =>
  config !== "simple" && word === "or";

/** A query of no word finds nothing: undefined. */
function queryOf(text: string, search: Search): Query | undefined {
  const words = wordsOf(text)
    .map((word, at) => [at, word] as const)
    .filter(([, word]) => !isDropped(word, search));
  switch (search.mode) {
    case "plain":
      return all(words.map(([, word]) => ({ kind: "WORD", word, isPrefix: false })));
    case "prefix":
      return all(words.map(([, word]) => ({ kind: "WORD", word, isPrefix: true })));
    case "phrase":
      return phraseOf(words);
    default:
      return webQuery(text, search);
  }
}

function all(parts: readonly Query[]): Query | undefined {
  return parts.length > 1 ? { kind: "AND", parts } : parts[0];
}

function phraseOf(words: readonly (readonly [number, string])[]): Query | undefined {
  const [[start, word] = [0, ""], ...others] = words;
  if (words.length === 0) return undefined;
  if (others.length === 0) return { kind: "WORD", word, isPrefix: false };
  return { kind: "PHRASE", words: words.map(([at, its]) => [at - start, its] as const) };
}

/** As a web search: quotes, `or` and `-`. */
function webQuery(text: string, search: Search): Query | undefined {
  const choices: Query[][] = [[]];
  for (const found of text.matchAll(/(-?)(?:"([^"]*)"|([A-Za-z]+))/g)) {
    const [whole, sign, phrase, word = ""] = found;
    // At the end it is a word.
    const isLast = found.index + whole.length === text.length;
    if (whole.toLowerCase() === "or" && !isLast) {
      choices.push([]);
      continue;
    }
    const part = phraseOf(
      wordsOf(phrase ?? word)
        .map((its, at) => [at, its] as const)
        .filter(([, its]) => !isDropped(its, search)),
    );
    if (part !== undefined) choices.at(-1)?.push(sign === "-" ? { kind: "NOT", part } : part);
  }
  const parts = choices.flatMap((choice) => all(choice) ?? []);
  return parts.length > 1 ? { kind: "OR", parts } : parts[0];
}

/** Whether a text contains the words of a search. */
export function findsWords(text: string, query: string, search: Search): boolean {
  const read = queryOf(query, search);
  return read !== undefined && matches(keptWords(text, search), read);
}

function keptWords(text: string, search: Search): readonly string[] {
  return wordsOf(text).map((word) => (isDropped(word, search) ? "" : word));
}

function matches(words: readonly string[], query: Query): boolean {
  switch (query.kind) {
    case "WORD":
      return words.some((word) => isMeant(word, query));
    case "PHRASE":
      return words.some((_, start) =>
        query.words.every(([at, word]) => words[start + at] === word),
      );
    case "AND":
      return query.parts.every((part) => matches(words, part));
    case "OR":
      return query.parts.some((part) => matches(words, part));
    case "NOT":
      return !matches(words, query.part);
    default:
      return query satisfies never;
  }
}

function isMeant(
  word: string,
  query: { readonly word: string; readonly isPrefix: boolean },
): boolean {
  return query.isPrefix ? word.startsWith(query.word) : word === query.word;
}

interface Item {
  readonly word: string;
  readonly isPrefix: boolean;
}

function* itemsOf(query: Query): Generator<Item> {
  if (query.kind === "WORD") yield query;
  else if (query.kind === "PHRASE") {
    for (const [, word] of query.words) yield { word, isPrefix: false };
  } else if (query.kind === "NOT") yield* itemsOf(query.part);
  else for (const part of query.parts) yield* itemsOf(part);
}

const weight = Math.fround(0.1);

/** How well a text matches, as `ts_rank` computes it in single precision; all words have the weight D. */
export function rankOfWords(text: string, query: string, search: Search): number {
  const read = queryOf(query, search);
  const words = keptWords(text, search);
  if (read === undefined || words.every((word) => word === "")) return 0;
  const known = new Map(Array.from(itemsOf(read), (item) => [item.word, item]));
  const items = Array.from(known.values()).sort((left, right) => (left.word < right.word ? -1 : 1));
  const isOfAll = read.kind === "AND" || read.kind === "PHRASE";
  const rank = isOfAll && items.length > 1 ? rankOfAll(words, items) : rankOfAny(words, items);
  return rank < 0 ? Math.fround(1e-20) : rank;
}

/** The positions of each word of the text that an item means. */
function entriesOf(words: readonly string[], item: Item): readonly (readonly number[])[] {
  const found = [...new Set(words)].filter((word) => word !== "" && isMeant(word, item)).sort();
  return found.map((word) => words.flatMap((its, at) => (its === word ? [at + 1] : [])));
}

function rankOfAny(words: readonly string[], items: readonly Item[]): number {
  let rank = 0;
  for (const item of items) {
    for (const places of entriesOf(words, item)) {
      let sum = 0;
      for (const at of places.keys()) sum = Math.fround(sum + Math.fround(weight / (at + 1) ** 2));
      // The first place has the greatest weight, as every other one.
      const added = Math.fround(Math.fround(weight + sum) - weight);
      rank = Math.fround(rank + added / 1.64493406685);
    }
  }
  return Math.fround(rank / items.length);
}

function rankOfAll(words: readonly string[], items: readonly Item[]): number {
  let rank = -1;
  const before: (readonly number[])[] = [];
  for (const [at, item] of items.entries()) {
    for (const places of entriesOf(words, item)) {
      for (const others of before.slice(0, at)) {
        for (const place of places) {
          for (const other of others ?? []) {
            const distance = Math.abs(place - other);
            if (distance === 0) continue;
            const near = Math.fround(1 / (1.005 + 0.05 * Math.exp(distance / 1.5 - 2)));
            const pair = Math.fround(Math.sqrt(Math.fround(Math.fround(weight * weight) * near)));
            rank = rank < 0 ? pair : Math.fround(1 - (1 - rank) * (1 - pair));
          }
        }
      }
      before[at] = places;
    }
  }
  return rank;
}
