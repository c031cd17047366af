import type {
  AggregateRequest,
  Deep,
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
import { columnOf, writePath } from "./relations.ts";
import { jsonOf, types } from "./values.ts";

/** Escapes a text that looks like a variable with a second dollar sign. */
function writeOperand(operand: Operand): string {
  if (operand.kind === "VARIABLE") return operand.name;
  if (operand.kind === "FIELD") return `$FIELD.${writePath(operand.path)}`;
  return operand.text.replace(/^\$(?=USER\.|NOW$|PERIOD\.|FIELD\.)/, "$$$$");
}

const lists: ReadonlySet<string> = new Set(["_in", "_nin", "_between", "_nbetween"]);

/** Writes a filter as JSON. */
export function filterJson(filter: Filter): Record<string, unknown> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      return { [filter.kind === "AND" ? "_and" : "_or"]: filter.filters.map(filterJson) };
    case "NOT":
      return { _not: filterJson(filter.filter) };
    case "QUANTIFIED":
      return { [filter.steps.join(".")]: { [filter.quantifier]: filterJson(filter.filter) } };
    case "COUNTED": {
      const operands = filter.operands.map(writeOperand);
      const value = lists.has(filter.operator) ? operands : operands[0];
      const where = filterJson(filter.filter);
      return { [filter.steps.join(".")]: { _count: { [filter.operator]: value, _where: where } } };
    }
    case "CONDITION": {
      const operands = filter.operands.map(writeOperand);
      const value = lists.has(filter.operator) ? operands : operands[0];
      const condition = { [filter.operator]: value };
      return {
        [writePath(filter.path)]:
          filter.part === undefined ? condition : { _part: { [filter.part]: condition } },
      };
    }
    default:
      return filter satisfies never;
  }
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
  return write(filterJson(filter), root) ? parts : undefined;
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
  for (const { apply, path, unit, part } of outputs) {
    const field = path === null ? "" : writePath(path);
    if (apply !== null) aggregates.push(path === null ? apply : `${apply}(${field})`);
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

/** Writes the body of a write; a text that the type rejects is sent unchanged. */
export function writeBody(
  table: Table | undefined,
  values: ReadonlyMap<string, Value>,
): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(values, ([name, value]) => {
      const column = table === undefined ? undefined : columnOf(table, name);
      const isPossible =
        column !== undefined &&
        value !== null &&
        types[column.type].impossible?.includes(value) !== true;
      return [name, isPossible ? jsonOf(column.type, value) : value];
    }),
  );
}

/** Writes the `{id}` of a path. */
export function writeKey(key: readonly string[]): string {
  return key.map(encodeURIComponent).join();
}
