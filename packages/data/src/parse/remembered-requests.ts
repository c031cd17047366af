import { decodeParameter, isStorableText } from "@rowhouse/wire";
import { LRUCache } from "lru-cache";
import type { RequestLimits } from "./query-parameters.ts";
import { listWith } from "./read-list.ts";
import type { ListRequest, ReadRequest, Target } from "./request.ts";

/** Maximum number of remembered values under the same limits. */
const rememberedMax = 1000;

/**
 * What was parsed, by its key and the limits it was parsed under. Each version of the settings has limits of its own, so a
 * changed limit applies to every later request.
 */
class LimitedMemory<Value extends object> {
  readonly #values = new WeakMap<RequestLimits, LRUCache<string, Value>>();

  get(limits: RequestLimits, key: string): Value | undefined {
    return this.#values.get(limits)?.get(key);
  }

  set(limits: RequestLimits, key: string, value: Value): void {
    let known = this.#values.get(limits);
    if (known === undefined) {
      known = new LRUCache({ max: rememberedMax });
      this.#values.set(limits, known);
    }
    known.set(key, value);
  }
}

/** A query without its values. */
export interface QueryForm {
  /** Equal for queries that differ in their values alone. */
  readonly key: string;
  /** The value of each part that has one, in their order, decoded. */
  readonly values: readonly string[];
  /** The decoded name of each of these parts. */
  readonly names: readonly string[];
}

/** A list of an earlier request, and the place of each of its values. */
interface RememberedList {
  readonly list: ListRequest;
  /** For each value of the form, its slot; -1 for the cursor. */
  readonly slotOf: readonly number[];
}

/** Longer queries are parsed each time, in characters. */
const listLengthMax = 2000;

const lists = new LimitedMemory<RememberedList>();

/**
 * A comparison of one field with one value, in brackets as they are or percent-encoded. Operators inside documents and
 * parts of dates are excluded, because there the value decides the form of the filter.
 */
const comparison =
  /^where(?:\[|%5B)(?![_%"])[^[\]"%]+(?:\]|%5D)(?:\[|%5B)_(?:n?eq|[lg]te?)(?:\]|%5D)$/i;
/** Parameters whose text seldom repeats, and those of aggregations. */
const unrepeated = /(?:^|&)(?:where|deep|search|aggregate|group_by)=|(?:\[|%5B)cursor(?:\]|%5D)/i;

/**
 * Separates a query from its values: the operands of simple comparisons, and the cursor.
 *
 * @param etags whether the response has the entity tags of the rows
 * @returns undefined for a query that must be parsed: it is long, seldom repeats, or has a value that is a variable,
 * malformed or not storable
 */
export function queryFormOf(
  target: Target,
  rawQuery: string,
  etags: boolean,
): QueryForm | undefined {
  if (rawQuery.length > listLengthMax || unrepeated.test(rawQuery)) return undefined;
  const values: string[] = [];
  const names: string[] = [];
  // A name of a schema or a table contains no NUL.
  let key = `${target.schema}\0${target.name}\0${target.kind}${etags ? "+" : ""}`;
  for (const part of rawQuery.split("&")) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    if (equals < 0 || (name !== "cursor" && !comparison.test(name))) {
      key += `&${part}`;
      continue;
    }
    const value = decodeParameter(part.slice(equals + 1));
    if (value === undefined || !isStorableText(value) || value.startsWith("$")) return undefined;
    key += `&${name}=`;
    values.push(value);
    names.push(name === "cursor" ? name : (decodeParameter(name) ?? name));
  }
  return { key, values, names };
}

/** Returns the list of a form if an earlier request had it. */
export function recallList(form: QueryForm, limits: RequestLimits): ListRequest | undefined {
  const known = lists.get(limits, form.key);
  if (known === undefined) return undefined;
  const { list, slotOf } = known;
  let { cursor } = list;
  const slots = list.slots.slice();
  for (let index = 0; index < slotOf.length; index++) {
    const at = slotOf[index] ?? -1;
    const value = form.values[index] ?? "";
    const slot = slots[at];
    if (slot === undefined) cursor = value;
    else slots[at] = { value, path: slot.path };
  }
  return listWith(list, slots, cursor);
}

/** Remembers a list, unless a value of its form has no single slot of its own. */
export function rememberList(form: QueryForm, limits: RequestLimits, list: ListRequest): void {
  const slotOf: number[] = [];
  for (const [index, name] of form.names.entries()) {
    const value = form.values[index];
    if (name === "cursor") {
      if (list.cursor !== value) return;
      slotOf.push(-1);
      continue;
    }
    const at = list.slots.findIndex(({ path }) => path === name);
    if (list.slots[at]?.value !== value || slotOf.includes(at)) return;
    slotOf.push(at);
  }
  // A copy: the request receives its origin later, which must not outlive it.
  lists.set(limits, form.key, { list: listWith(list, list.slots, list.cursor), slotOf });
}

/** What a query of one row asks for, whichever row it is. */
export type ReadQuery = Omit<ReadRequest, "target" | "id" | "origin">;

/** Longer queries are parsed each time, in characters. */
const readLengthMax = 500;

const queries = new LimitedMemory<ReadQuery>();

/**
 * Returns the parsed query of an earlier request for a row of the same relation by as many key values; parses one that is
 * new. A fault is not remembered.
 *
 * @throws whatever `parse` throws
 */
export function recallRead(
  { schema, name }: Target,
  keyLength: number,
  rawQuery: string,
  limits: RequestLimits,
  parse: () => ReadQuery,
): ReadQuery {
  if (rawQuery.length > readLengthMax) return parse();
  // A name of a schema or a table contains no NUL.
  const key = `${schema}\0${name}\0${keyLength}\0${rawQuery}`;
  const known = queries.get(limits, key);
  if (known !== undefined) return known;
  const query = parse();
  queries.set(limits, key, query);
  return query;
}
