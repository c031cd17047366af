import type { DocumentChange } from "./documents.ts";
import type {
  AggregateRequest,
  Condition,
  Deep,
  DeleteManyRequest,
  Filter,
  ListRequest,
  Operand,
  OrderTerm,
  Output,
  Path,
  ReadRequest,
  Table,
  Value,
} from "./model.ts";
import { columnOf, writeExpression, writePath } from "./relations.ts";
import { jsonOf, types } from "./values.ts";

/** Escapes a text that looks like a variable with a second dollar sign. */
function writeOperand(operand: Operand): string {
  if (operand.kind === "VARIABLE") return operand.name;
  if (operand.kind === "FIELD") return `$FIELD.${writePath(operand.path)}`;
  return operand.text.replace(/^\$(?=USER\.|NOW$|PERIOD\.|FIELD\.)/, "$$$$");
}

const lists: ReadonlySet<string> = new Set([
  ...["_in", "_nin", "_between", "_nbetween"],
  ...["_has_all", "_has_any", "_has_only"],
]);

type Form = ListRequest["form"];

/** Writes a filter as JSON; with the form `BRACKETS`, its values are the texts of brackets. */
export function filterJson(filter: Filter, form: Form = "JSON"): Record<string, unknown> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      return {
        [filter.kind === "AND" ? "_and" : "_or"]: filter.filters.map((its) =>
          filterJson(its, form),
        ),
      };
    case "NOT":
      return { _not: filterJson(filter.filter, form) };
    case "QUANTIFIED":
      return {
        [filter.steps.join(".")]: { [filter.quantifier]: filterJson(filter.filter, form) },
      };
    case "COUNTED": {
      const operands = filter.operands.map(writeOperand);
      const value = lists.has(filter.operator) ? operands : operands[0];
      const where = filterJson(filter.filter, form);
      return { [filter.steps.join(".")]: { _count: { [filter.operator]: value, _where: where } } };
    }
    case "CONDITION":
      return { [writePath(filter.path)]: conditionJson(filter, form) };
    default:
      return filter satisfies never;
  }
}

function conditionJson(condition: Condition, form: Form): Record<string, unknown> {
  const { operator, part, bound, keys, search } = condition;
  const operands = condition.operands.map((operand): unknown => {
    const text = writeOperand(operand);
    if (keys === undefined && operator !== "_json_contains") return text;
    const json: unknown = JSON.parse(text);
    if (form === "JSON") return json;
    return typeof json === "string" && keys !== undefined ? json : text;
  });
  const value = lists.has(operator) ? operands : operands[0];
  const isPlain = search?.config === null && search.mode === "web";
  const { config, ...others } = search ?? { config: null };
  const options = { text: value, ...others, ...(config === null ? {} : { config }) };
  const its = { [operator]: search === undefined || isPlain ? value : options };
  if (part !== undefined) return { _part: { [part]: its } };
  if (bound !== undefined) return { [`_${bound}`]: its };
  return keys === undefined ? its : { _path: { [keys.join(".")]: its } };
}

/** Writes a filter in brackets; undefined if only JSON can express it (an empty list). */
export function filterBrackets(filter: Filter, root: string): string[] | undefined {
  const parts: string[] = [];
  const write = (json: unknown, prefix: string): boolean => {
    if (typeof json !== "object" || json === null) {
      parts.push(`${encodeURIComponent(prefix)}=${encodeURIComponent(String(json))}`);
      return true;
    }
    const entries = Object.entries(json);
    return entries.length > 0 && entries.every(([key, value]) => write(value, `${prefix}[${key}]`));
  };
  return write(filterJson(filter, "BRACKETS"), root) ? parts : undefined;
}

function writeFields(fields: readonly Path[] | null): string[] {
  return fields === null ? [] : [`fields=${fields.map(writePath).map(encodeURIComponent).join()}`];
}

function writeOrder(order: readonly OrderTerm[]): string {
  const terms = order.map(({ path, descending, nulls }) => {
    const suffix = nulls === null ? "" : `:nulls_${nulls}`;
    return `${descending ? "-" : ""}${writePath(path)}${suffix}`;
  });
  return terms.map(encodeURIComponent).join();
}

/** Writes a filter as a parameter, in the requested form if that can express it. */
function writeFilter(
  name: string,
  filter: Filter | null,
  form: ListRequest["form"],
): readonly string[] {
  if (filter === null) return [];
  const brackets = form === "BRACKETS" ? filterBrackets(filter, name) : undefined;
  return brackets ?? [`${name}=${encodeURIComponent(JSON.stringify(filterJson(filter)))}`];
}

function writeDeep(deep: readonly Deep[]): string[] {
  return deep.flatMap((its) => {
    const root = `deep[${its.place.join(".")}]`;
    const name = encodeURIComponent(root);
    const parts: string[] = [];
    if (its.limit !== null) parts.push(`${name}[limit]=${its.limit}`);
    if (its.isPaged) parts.push(`${name}[cursor]=${its.cursor ?? "true"}`);
    if (its.offset !== null && its.cursor === undefined)
      parts.push(`${name}[offset]=${its.offset}`);
    if (its.order.length > 0) parts.push(`${name}[order_by]=${writeOrder(its.order)}`);
    if (its.where !== null) parts.push(...(filterBrackets(its.where, `${root}[where]`) ?? []));
    if (its.having !== null) parts.push(...(filterBrackets(its.having, `${root}[having]`) ?? []));
    const groups = writeTerms(its.groups).groups.map(encodeURIComponent);
    if (groups.length > 0) parts.push(`${name}[group_by]=${groups.join()}`);
    return parts;
  });
}

function writeTerms(outputs: readonly Output[]): {
  readonly groups: readonly string[];
  readonly aggregates: readonly string[];
} {
  const groups: string[] = [];
  const aggregates: string[] = [];
  for (const { apply, path, unit, part, expression, alias } of outputs) {
    const field = path === null ? "" : writePath(path);
    if (apply !== null && expression !== undefined) {
      aggregates.push(`${apply}(${writeExpression(expression)}):${alias}`);
    } else if (apply !== null) aggregates.push(path === null ? apply : `${apply}(${field})`);
    else if (part !== undefined) groups.push(`date_part(${part},${field})`);
    else groups.push(unit === null ? field : `date_trunc(${unit},${field})`);
  }
  return { groups, aggregates };
}

function writeOutputs({ outputs }: AggregateRequest): string[] {
  const { groups, aggregates } = writeTerms(outputs);
  const write = (name: string, terms: readonly string[]): string[] =>
    terms.length === 0 ? [] : [`${name}=${terms.map(encodeURIComponent).join()}`];
  return [...write("group_by", groups), ...write("aggregate", aggregates)];
}

/** Writes the query string of a read; with a cursor, of the page at that cursor. */
export function writeQuery(
  request: ListRequest | ReadRequest | AggregateRequest,
  cursor?: string,
): string {
  if (request.kind === "READ") {
    return [...writeFields(request.fields), ...writeDeep(request.deep)].join("&");
  }
  const { where, form, search, order, limit, offset, count } = request;
  const parts = request.kind === "LIST" ? writeFields(request.fields) : writeOutputs(request);
  parts.push(...writeFilter("where", where, form));
  if (request.kind === "AGGREGATE") parts.push(...writeFilter("having", request.having, form));
  if (search !== null) parts.push(`search=${encodeURIComponent(search)}`);
  if (order.length > 0) parts.push(`order_by=${writeOrder(order)}`);
  if (limit !== null) parts.push(`limit=${limit}`);
  if (cursor !== undefined) parts.push(`cursor=${encodeURIComponent(cursor)}`);
  else if (offset !== null) parts.push(`offset=${offset}`);
  if (count) parts.push("count=exact");
  if (request.kind === "LIST") parts.push(...writeDeep(request.deep));
  return parts.join("&");
}

/** Writes the query string of a deletion by a filter. */
export function writeSelection({ where, form, affectedMax }: DeleteManyRequest): string {
  return [...writeFilter("where", where, form), `max_affected=${affectedMax}`].join("&");
}

/** Writes the body of a write; a text that the type rejects is sent unchanged. */
export function writeBody(
  table: Table | undefined,
  values: ReadonlyMap<string, Value>,
  changes: ReadonlyMap<string, DocumentChange> = new Map(),
): Record<string, unknown> {
  const changed = Array.from(changes, ([name, { sets, unsets }]) => {
    const set = sets.map(([keys, json]) => [keys.join("."), JSON.parse(json) as unknown] as const);
    const unset = unsets.map((keys) => keys.join("."));
    const its = {
      ...(set.length === 0 ? {} : { $set: Object.fromEntries(set) }),
      ...(unset.length === 0 ? {} : { $unset: unset }),
    };
    return [name, its] as const;
  });
  return Object.fromEntries([
    ...changed,
    ...Array.from(values, ([name, value]) => {
      const column = table === undefined ? undefined : columnOf(table, name);
      const isPossible =
        column !== undefined &&
        value !== null &&
        types[column.type].impossible?.includes(value) !== true;
      return [name, isPossible ? jsonOf(column.type, value) : value] as const;
    }),
  ]);
}

/** Writes the `{id}` of a path. */
export function writeKey(key: readonly string[]): string {
  return key.map(encodeURIComponent).join();
}
