import { parseExactJson } from "@rowhouse/wire";

/** A place in a file; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The steps from the top of a document to a value: names of keys, and indexes of lists. */
export type DocumentPath = readonly (string | number)[];

/** A parsed text: JSON values, and where each of them stands. */
export interface YamlText {
  /** Numbers that a double would change keep their digits. */
  readonly value: unknown;
  /** Returns where a value stands; for one that is missing, where its nearest ancestor does. */
  positionOf(path: DocumentPath): Position;
  /** Returns where a key stands. */
  positionOfKey(path: DocumentPath): Position;
}

/** Where a value of a document stands, and the values inside it. Offsets start at 0. */
export interface YamlPlace {
  /** Of its key; null without one. */
  readonly key: number | null;
  readonly value: number;
  readonly items?: Readonly<Record<string, YamlPlace>> | readonly YamlPlace[];
}

/** A mistake in a text that is no document. */
export interface TextFault {
  readonly offset: number;
  readonly message: string;
}

/** A text that was read, in a form that a worker thread can send: offsets start at 0. */
export type ReadYaml =
  | { readonly faults: readonly TextFault[] }
  | {
      /** JSON in which numbers keep their digits. */
      readonly value: string;
      /** The JSON of a `YamlPlace`; it is parsed only for a fault. */
      readonly places: string;
    };

/** Opens a text that `readYaml` has read without a fault. */
export function openYaml(
  text: string,
  read: Exclude<ReadYaml, { readonly faults: unknown }>,
): YamlText {
  let root: YamlPlace | undefined;
  const positionAt = positionsIn(text);
  const find = (path: DocumentPath): YamlPlace => {
    root ??= JSON.parse(read.places) as YamlPlace;
    let place = root;
    for (const step of path) {
      const inside = inner(place, step);
      if (inside === undefined) return place;
      place = inside;
    }
    return place;
  };
  return {
    value: parseExactJson(read.value),
    positionOf: (path) => positionAt(find(path).value),
    positionOfKey: (path) => {
      const { key, value } = find(path);
      return positionAt(key ?? value);
    },
  };
}

function inner({ items = [] }: YamlPlace, step: string | number): YamlPlace | undefined {
  if (isList(items)) return items[Number(step)];
  return Object.hasOwn(items, step) ? items[step] : undefined;
}

function isList(items: NonNullable<YamlPlace["items"]>): items is readonly YamlPlace[] {
  return Array.isArray(items);
}

/** Returns a function that converts an offset in a text to a position. The starts of lines are looked up once. */
export function positionsIn(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= startsOfLines(text);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
