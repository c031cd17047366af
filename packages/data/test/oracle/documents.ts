/** A JSON value. */
type Json = unknown;

const ranks: readonly ((value: Json) => boolean)[] = [
  (value) => value === null,
  (value) => typeof value === "string",
  (value) => typeof value === "number",
  (value) => typeof value === "boolean",
  Array.isArray,
];
const rankOf = (value: Json): number => {
  const rank = ranks.findIndex((test) => test(value));
  return rank < 0 ? ranks.length : rank;
};
const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const byBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** The members of an object as `jsonb` stores them: shorter keys first. */
function membersOf(value: Readonly<Record<string, Json>>): [string, Json][] {
  return Object.entries(value).sort(
    ([left], [right]) => Buffer.byteLength(left) - Buffer.byteLength(right) || byBytes(left, right),
  );
}

/**
 * Compares as `jsonb` does: nulls, texts, numbers, booleans, lists, objects; longer lists and objects are greater. Only an empty
 * list at the top is less than every scalar: https://www.postgresql.org/docs/18/datatype-json.html#JSON-INDEXING
 */
export function compareDocuments(left: Json, right: Json, isTop = true): number {
  const ranksOf = rankOf(left) - rankOf(right);
  if (ranksOf !== 0) {
    const isScalar = (value: Json): boolean => rankOf(value) < 4;
    const isEmpty = (value: Json): boolean => Array.isArray(value) && value.length === 0;
    const isOdd = isTop && (isScalar(left) ? isEmpty(right) : isScalar(right) && isEmpty(left));
    return isOdd ? -ranksOf : ranksOf;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return left.length - right.length;
    return compareAll(left, right);
  }
  if (isObject(left) && isObject(right)) {
    const [one, two] = [membersOf(left), membersOf(right)];
    return one.length === two.length ? compareAll(one.flat(), two.flat()) : one.length - two.length;
  }
  if (typeof left === "string" && typeof right === "string") return byBytes(left, right);
  return Number(left) - Number(right);
}

function compareAll(left: readonly Json[], right: readonly Json[]): number {
  for (const [at, value] of left.entries()) {
    const order = compareDocuments(value, right[at], false);
    if (order !== 0) return order;
  }
  return 0;
}

/** The text of a document as `jsonb` writes it. */
export function documentText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(documentText).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = membersOf(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${documentText(inner)}`,
  );
  return `{${members.join(", ")}}`;
}

/** Whether a document contains another one, as `@>` of `jsonb`. */
export function containsDocument(outer: Json, inner: Json, isTop = true): boolean {
  if (isObject(outer) && isObject(inner)) {
    return Object.entries(inner).every(
      ([key, value]) => Object.hasOwn(outer, key) && containsDocument(outer[key], value, false),
    );
  }
  if (Array.isArray(outer)) {
    // A list at the top also contains a scalar that is an item of it.
    const isItem = isTop && !Array.isArray(inner) && !isObject(inner);
    const items: readonly Json[] | undefined = Array.isArray(inner)
      ? inner
      : isItem
        ? [inner]
        : undefined;
    return items?.every((item) => outer.some((own) => containsDocument(own, item, false))) === true;
  }
  return rankOf(outer) < 4 && rankOf(inner) < 4 && compareDocuments(outer, inner) === 0;
}

/** Whether a document has a key, or an item of this text, as `?` of `jsonb`. */
export function hasKey(document: Json, key: string): boolean {
  if (Array.isArray(document)) return document.includes(key);
  return isObject(document) ? Object.hasOwn(document, key) : document === key;
}

/** The value at the end of some keys; undefined if there is none. */
export function valueInside(document: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>((value, key) => {
    const isKnown = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isKnown ? (value as Record<string, Json>)[key] : undefined;
  }, document);
}

/** A change of parts of a document. */
export interface DocumentChange {
  readonly sets: readonly (readonly [keys: readonly string[], json: string])[];
  readonly unsets: readonly (readonly string[])[];
}

/** Returns the document after a change; undefined if the change does not apply to it. SQL null is null as well. */
export function changeDocument(document: Json, { sets, unsets }: DocumentChange): Json {
  if (document !== null && !isObject(document)) return undefined;
  for (const [keys] of sets) {
    for (const at of keys.keys()) {
      const way = valueInside(document, keys.slice(0, at));
      if (way != null && !isObject(way)) return undefined;
    }
  }
  if (document === null && sets.length === 0) return null;
  const changed: Record<string, Json> = structuredClone(document ?? {}) as Record<string, Json>;
  for (const keys of unsets) {
    const parent = valueInside(changed, keys.slice(0, -1));
    const last = keys.at(-1) ?? "";
    if (Array.isArray(parent)) {
      if (/^\d+$/.test(last)) parent.splice(Number(last), 1);
    } else if (isObject(parent)) Reflect.deleteProperty(parent, last);
  }
  for (const [keys, json] of sets) {
    let object = changed;
    for (const key of keys.slice(0, -1)) {
      if (!isObject(object[key])) object[key] = {};
      object = object[key] as Record<string, Json>;
    }
    object[keys.at(-1) ?? ""] = JSON.parse(json) as Json;
  }
  return changed;
}
