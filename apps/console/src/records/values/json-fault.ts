/** The place of the first fault of a JSON text; lines and columns begin at 1. */
interface JsonFault {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Finds the first fault of a JSON text; every browser then names the same place. */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return scanJson(text).fault;
  }
}

/** Where a value of a JSON text stands. */
interface JsonPlace {
  readonly from: number;
  readonly to: number;
}

const blank = /[ \t\r\n]*/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const space = 0x20;

/** Returns the places of all values by their path, and the first fault. */
export function scanJson(text: string): {
  readonly fault: JsonFault | undefined;
  readonly places: ReadonlyMap<string, JsonPlace>;
} {
  const places = new Map<string, JsonPlace>();
  let at = 0;
  const skip = (form: RegExp): string => {
    form.lastIndex = at;
    const found = form.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };
  /** Moves over a value; returns whether it is one. */
  const value = (path: readonly string[]): boolean => {
    skip(blank);
    const from = at;
    const isWhole = text[at] === "{" ? members(path) : text[at] === "[" ? items(path) : scalar();
    if (isWhole) places.set(placeKey(path), { from, to: at });
    if (isWhole) skip(blank);
    return isWhole;
  };
  /** Moves over a string; at a fault it stays where that is. */
  const string = (): boolean => {
    if (!take('"')) return false;
    for (;;) {
      if (take('"')) return true;
      if (text[at] === "\\") {
        if (skip(escaped) === "") return false;
      } else if (at < text.length && text.charCodeAt(at) >= space) at += 1;
      else return false;
    }
  };
  const scalar = (): boolean => (text[at] === '"' ? string() : skip(literal) !== "");
  const items = (path: readonly string[]): boolean => {
    at += 1;
    skip(blank);
    if (take("]")) return true;
    for (let index = 0; ; index += 1) {
      if (!value([...path, String(index)])) return false;
      if (take("]")) return true;
      if (!take(",")) return false;
    }
  };
  const members = (path: readonly string[]): boolean => {
    at += 1;
    skip(blank);
    if (take("}")) return true;
    for (;;) {
      skip(blank);
      const start = at;
      if (!string()) return false;
      const inner = [...path, JSON.parse(text.slice(start, at)) as string];
      skip(blank);
      if (!take(":")) return false;
      if (!value(inner)) return false;
      const place = places.get(placeKey(inner));
      if (place !== undefined) places.set(placeKey(inner), { ...place, from: start });
      if (take("}")) return true;
      if (!take(",")) return false;
    }
  };
  const take = (sign: string): boolean => {
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const isWhole = value([]) && at === text.length;
  return { fault: isWhole ? undefined : { offset: at, ...lineOf(text, at) }, places };
}

/** The key of a path in the places of a text. */
function placeKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** Returns line and column of a position, each from 1. */
export function lineOf(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
