import { documentKeysMax, keysOf, readPath } from "@rowhouse/access";
import { isExactNumber } from "@rowhouse/wire";

/**
 * A change of parts of a document: `{"$set": {"seats": 5}, "$unset": ["color"]}`, or `{"$value": …}`, which escapes a document
 * of this form. It contains no value, so that requests of one shape share a statement.
 */
export interface DocumentChange {
  /** Whether the new document is that of `$value`. */
  readonly isWhole: boolean;
  /** The path of each value of `$set`, in their order. */
  readonly sets: readonly (readonly string[])[];
  /** The paths of `$unset`. */
  readonly unsets: readonly (readonly string[])[];
  /** What is wrong with it; null for nothing. A column of another type than a document takes it as a plain value. */
  readonly fault: string | null;
}

/** Maximum number of paths in one change. */
const pathsMax = 100;
const operators: ReadonlySet<string> = new Set(["$set", "$unset", "$value"]);

/** Returns the fields of a PATCH whose values have the form of a change of a document. */
export function readChanges(
  values: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, DocumentChange> {
  const changes = new Map<string, DocumentChange>();
  for (const [field, value] of values) {
    const change = readChange(value);
    if (change !== undefined) changes.set(field, change);
  }
  return changes;
}

function readChange(value: unknown): DocumentChange | undefined {
  if (!isObject(value)) return undefined;
  const names = Object.keys(value);
  if (names.length === 0 || !names.every((name) => operators.has(name))) return undefined;
  const nothing: DocumentChange = { isWhole: false, sets: [], unsets: [], fault: null };
  if (names.includes("$value")) {
    const fault = names.length > 1 ? "$value stands alone" : null;
    return { ...nothing, isWhole: true, fault };
  }
  const { $set: set = {}, $unset: unset = [] } = value;
  if (!isObject(set) || !Array.isArray(unset) || !unset.every((path) => typeof path === "string")) {
    return { ...nothing, fault: "$set is an object of values by paths, $unset a list of paths" };
  }
  const written = [...Object.keys(set), ...(unset as readonly string[])];
  const paths = written.map((path) => keysOf(readPath(path)));
  const known = paths.filter((path) => path !== undefined);
  if (known.length < paths.length || known.some((path) => path.length > documentKeysMax)) {
    return { ...nothing, fault: `A path has 1 to ${documentKeysMax} keys, which dots separate` };
  }
  if (known.length > pathsMax)
    return { ...nothing, fault: `A change has at most ${pathsMax} paths` };
  const fault = overlaps(known) ? "One path of a change leads through another" : null;
  const count = Object.keys(set).length;
  return { isWhole: false, sets: known.slice(0, count), unsets: known.slice(count), fault };
}

/** Whether a path is the beginning of another, or equal to it. */
function overlaps(paths: readonly (readonly string[])[]): boolean {
  const all = new Set(paths.map((path) => JSON.stringify(path)));
  if (all.size < paths.length) return true;
  return paths.some((path) =>
    path.slice(1).some((_, end) => all.has(JSON.stringify(path.slice(0, end + 1)))),
  );
}

/**
 * Returns the value of a change in the body.
 *
 * @param index the position in `$set`; null for `$value`
 */
export function changedValue(
  written: unknown,
  index: number | null,
): { readonly value: unknown; readonly pointer: readonly string[] } {
  const { $set: set, $value: value } = written as {
    readonly $set?: object;
    readonly $value?: unknown;
  };
  if (index === null) return { value, pointer: ["$value"] };
  const [path = "", inner] = Object.entries(set ?? {})[index] ?? [];
  return { value: inner, pointer: ["$set", path] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}
