import { type Filter, type ParseFilterOptions, parseFilter, type Slot } from "@rowhouse/access";
import { type AppError, createError, createFault, type Fault } from "@rowhouse/errors";
import {
  decodeParameter,
  impossibleName,
  isExactNumber,
  isPossibleName,
  jsonHint,
  malformedEncoding,
  parseExactJson,
  prototypeKeys,
  scanJson,
} from "@rowhouse/wire";
import type { RequestOptions } from "./request.ts";

/** The limits of parsing; each is a setting. */
export interface RequestLimits {
  readonly limitDefault: number;
  readonly limitMax: number;
  readonly filterNodesMax: number;
  readonly filterDepthMax: number;
  readonly listMax: number;
  /** Maximum number of rows of one create. */
  readonly rowsMax: number;
  /** Maximum of `max_affected`. */
  readonly affectedMax: number;
}

/** The options of a request without headers. */
export const noOptions: RequestOptions = {
  minimal: false,
  representation: false,
  ifMatch: null,
  etags: false,
};

/** Returns a fault for each parameter of a query that the request does not have. */
export function requireKnown(
  query: ParsedQuery,
  single: readonly string[],
  nested: readonly string[],
): Fault[] {
  if (query.single.size === 0 && query.nested.size === 0) return [];
  const unknown = [
    ...Array.from(query.single.keys()).filter((name) => !single.includes(name)),
    ...Array.from(query.nested.keys()).filter((name) => !nested.includes(name)),
  ];
  return unknown.map((path) =>
    createFault("QUERY_INVALID", { path, message: "Unknown parameter" }),
  );
}

/** Reads an integer from 0 to `max`; a missing one is the lesser of `fallback` and `max`. */
export function parseWhole(
  text: string | undefined,
  path: string,
  fallback: number,
  max: number,
  faults: Fault[],
): number {
  if (text === undefined) return Math.min(fallback, max);
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return requireWhole(value, path, max, faults) ? value : fallback;
}

/** Whether a value is an integer from 0 to `max`. */
export function isWhole(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
}

/** The message for a value that is not an integer from 0 to `max`. */
export function notWhole(max: number): string {
  return `This must be an integer from 0 to ${max}`;
}

/** Returns whether a number is an integer from 0 to `max`; otherwise adds a fault. */
export function requireWhole(value: unknown, path: string, max: number, faults: Fault[]): boolean {
  if (isWhole(value, max)) return true;
  faults.push(createFault("QUERY_INVALID", { path, message: notWhole(max) }));
  return false;
}

/** Returns the key of a compiled statement, equal for requests that differ only in their values. */
export function shapeOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/**
 * Returns the values of the key, split before they are decoded, so that a value may contain a comma.
 *
 * @throws AppError NOT_FOUND for malformed percent-encoding: no row has such an id
 */
export function parseId(rawId: string): string[] {
  try {
    return rawId.split(",").map(decodeURIComponent);
  } catch {
    throw createError("NOT_FOUND");
  }
}

/** Whether an id is a comma: the empty text of a key with one column, or two of them. */
export function isOnlyComma(id: readonly string[]): boolean {
  return id.length === 2 && id.every((part) => part === "");
}

/** Returns the part of an id that decides the statement: its number of values; 0 for a comma alone. */
export function formOfId(id: readonly string[]): number {
  return isOnlyComma(id) ? 0 : id.length;
}

/** A parsed filter, and the values of the request up to and including its own. */
export interface ParsedWhere {
  readonly filter: Filter | null;
  readonly slots: readonly Slot[];
}

/**
 * Parses the filter in the parameter `name`, as JSON or in brackets. `slots` are the earlier values of the request.
 *
 * @throws AppError QUERY_INVALID with every fault of the filter
 */
export function parseFilterParameter(
  query: ParsedQuery,
  name: string,
  limits: RequestLimits,
  commaLists: boolean,
  slots: readonly Slot[],
): ParsedWhere {
  const json = query.single.get(name);
  const nested = query.nested.get(name);
  if (json === undefined && nested === undefined) return { filter: null, slots };
  const input = json === undefined ? nested : parseJsonParameter(name, json);
  return parseFilter(input, {
    ...filterOptions(limits, name, slots),
    commaLists: commaLists && json === undefined,
  });
}

/** Returns the options of a filter in a query string; `root` begins the path of its faults. */
export function filterOptions(
  limits: RequestLimits,
  root: string,
  slots: readonly Slot[],
): ParseFilterOptions {
  return {
    limits: {
      nodesMax: limits.filterNodesMax,
      depthMax: limits.filterDepthMax,
      listMax: limits.listMax,
    },
    pathOf: (segments) => [root, ...segments.map((segment) => `[${segment}]`)].join(""),
    code: "QUERY_INVALID",
    commaLists: true,
    slots,
  };
}

/** A parsed query string: plain parameters by name, and the bracketed ones as one tree per name. */
export interface ParsedQuery {
  readonly single: ReadonlyMap<string, string>;
  readonly nested: ReadonlyMap<string, unknown>;
}

/** Filter keys whose brackets contain list indexes. */
const listKeys: ReadonlySet<string> = new Set([
  "_and",
  "_or",
  "_in",
  "_nin",
  "_between",
  "_nbetween",
  "_has_all",
  "_has_any",
  "_has_only",
]);
const partsMax = 1000;

const empty: ParsedQuery = { single: new Map(), nested: new Map() };

/**
 * Parses a raw query string.
 *
 * @throws AppError QUERY_INVALID for a repeated or malformed parameter
 */
export function parseQuery(raw: string): ParsedQuery {
  if (raw === "") return empty;
  const single = new Map<string, string>();
  const trees = new Map<string, Branch>();
  const parts = raw.split("&");
  if (parts.length > partsMax) throw invalid("", `At most ${partsMax} parameters`);
  for (const part of parts) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? "" : decode(part.slice(equals + 1));
    if (!isPossibleName(name)) throw invalid(name, impossibleName);
    const opening = name.indexOf("[");
    const segments = opening > 0 ? segmentsOf(name, opening) : null;
    if (segments === null) {
      if (prototypeKeys.has(name)) throw invalid(name, "Unknown parameter");
      if (single.has(name)) throw invalid(name, "This parameter is given twice");
      single.set(name, value);
      continue;
    }
    const root = name.slice(0, opening);
    const tree: Branch = trees.get(root) ?? new Map();
    trees.set(root, tree);
    place(tree, segments, value, name);
  }
  const nested = new Map<string, unknown>();
  for (const [name, tree] of trees) {
    if (single.has(name)) throw invalid(name, "Either JSON or brackets, not both");
    nested.set(name, toPlain(tree, false, name));
  }
  return { single, nested };
}

/**
 * Returns the keys in the brackets of `where[plate][_eq]`; null if a bracket is not closed. A quoted key may contain a
 * bracket.
 */
function segmentsOf(name: string, opening: number): string[] | null {
  if (name.slice(0, opening).includes("]")) return null;
  const segments: string[] = [];
  for (let at = opening; at < name.length; ) {
    if (name[at] !== "[" || segments.length === segmentsMax) return null;
    segmentForm.lastIndex = at;
    const quoted = segmentForm.exec(name);
    const end = quoted === null ? name.indexOf("]", at) : segmentForm.lastIndex - 1;
    if (end < 0) return null;
    segments.push(name.slice(at + 1, end));
    at = end + 1;
  }
  return segments;
}

const segmentForm = /\[(?:[^\]"]*\.)?"(?:[^"]|"")*"\]/y;
/**
 * More brackets than a filter of any depth has. The limit bounds the work, because each may be searched to the end of
 * the name.
 */
const segmentsMax = 100;

type Branch = Map<string, Branch | string>;

function place(tree: Branch, segments: readonly string[], value: string, name: string): void {
  let branch = tree;
  for (const [index, written] of segments.entries()) {
    const segment = written === "" ? String(branch.size) : written;
    const next = branch.get(segment);
    if (index === segments.length - 1) {
      if (next !== undefined) throw invalid(name, "This parameter is given twice");
      branch.set(segment, value);
      return;
    }
    if (typeof next === "string") throw invalid(name, "This parameter is both a value and a group");
    const inner: Branch = next ?? new Map();
    branch.set(segment, inner);
    branch = inner;
  }
}

function toPlain(branch: Branch | string, isList: boolean, name: string): unknown {
  if (typeof branch === "string") return branch;
  if (isList) {
    return Array.from(branch.keys(), (_, index) => {
      const item = branch.get(String(index));
      if (item === undefined) throw invalid(name, "The items of a list are numbered from 0");
      return toPlain(item, false, name);
    });
  }
  const plain: Record<string, unknown> = {};
  for (const [key, inner] of branch) {
    const value = toPlain(inner, listKeys.has(key), name);
    // An assignment to `__proto__` would set the prototype.
    if (key !== "__proto__") plain[key] = value;
    else Object.defineProperty(plain, key, { value, enumerable: true });
  }
  return plain;
}

/**
 * Parses a parameter as JSON with exact numbers.
 *
 * @throws AppError QUERY_INVALID for a text that is not JSON, is nested too deep, or repeats a key of an object
 */
export function parseJsonParameter(name: string, text: string): unknown {
  const { depth, members } = scanJson(text);
  // Deeper than any configured limit, and far below the depth at which a parser's recursion fails.
  if (depth > 200) throw invalid(name, "This JSON is nested too deep");
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw invalid(name, `This is not JSON${jsonHint(text)}`);
  }
  // The parser keeps the last of equal keys: a condition would be lost.
  if (membersIn(value) !== members) throw invalid(name, "A key occurs twice in one object");
  return value;
}

/** The number of members of all objects in a value. */
function membersIn(value: unknown): number {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, each) => sum + membersIn(each), own);
}

function decode(text: string): string {
  const decoded = decodeParameter(text);
  if (decoded === undefined) throw invalid(text.slice(0, 100), malformedEncoding);
  return decoded;
}

function invalid(path: string, message: string): AppError {
  return createError("QUERY_INVALID", { path, message });
}
