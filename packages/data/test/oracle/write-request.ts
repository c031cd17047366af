import type {
  Filter,
  ListRequest,
  Operand,
  OrderTerm,
  Path,
  ReadRequest,
  Table,
  Value,
} from "./model.ts";
import { columnOf, writePath } from "./relations.ts";
import { jsonOf, types } from "./values.ts";

/** Text that reads like a variable is escaped with a second dollar. */
function writeOperand(operand: Operand): string {
  if (operand.kind === "VARIABLE") return operand.name;
  return operand.text.replace(/^\$(?=USER\.|NOW$|PERIOD\.)/, "$$$$");
}

const lists: ReadonlySet<string> = new Set(["_in", "_nin", "_between", "_nbetween"]);

/** A filter as JSON. */
export function filterJson(filter: Filter): Record<string, unknown> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      return { [filter.kind === "AND" ? "_and" : "_or"]: filter.filters.map(filterJson) };
    case "NOT":
      return { _not: filterJson(filter.filter) };
    case "QUANTIFIED":
      return { [filter.steps.join(".")]: { [filter.quantifier]: filterJson(filter.filter) } };
    case "CONDITION": {
      const operands = filter.operands.map(writeOperand);
      const value = lists.has(filter.operator) ? operands : operands[0];
      return { [writePath(filter.path)]: { [filter.operator]: value } };
    }
    default:
      return filter satisfies never;
  }
}

/** A filter in brackets; undefined where only JSON can say it (an empty list). */
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

/** The query string of a read; with a cursor, of the page that the cursor leads to. */
export function writeQuery(request: ListRequest | ReadRequest, cursor?: string): string {
  const parts = writeFields(request.fields);
  if (request.kind === "READ") return parts.join("&");
  const { where, form, order, limit, offset, count, deep } = request;
  if (where !== null) {
    const json = `where=${encodeURIComponent(JSON.stringify(filterJson(where)))}`;
    parts.push(...((form === "BRACKETS" ? filterBrackets(where, "where") : undefined) ?? [json]));
  }
  if (order.length > 0) parts.push(`order_by=${writeOrder(order)}`);
  if (limit !== null) parts.push(`limit=${limit}`);
  if (cursor !== undefined) parts.push(`cursor=${encodeURIComponent(cursor)}`);
  else if (offset !== null) parts.push(`offset=${offset}`);
  if (count) parts.push("count=exact");
  for (const { steps, where: inner, order: terms, limit: most } of deep) {
    const root = `deep[${steps.join(".")}]`;
    const name = encodeURIComponent(root);
    if (most !== null) parts.push(`${name}[limit]=${most}`);
    if (terms.length > 0) parts.push(`${name}[order_by]=${writeOrder(terms)}`);
    if (inner !== null) parts.push(...(filterBrackets(inner, `${root}[where]`) ?? []));
  }
  return parts.join("&");
}

/** The body of a write; a text that the type cannot hold goes out as it is. */
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

/** The `{id}` of a path. */
export function writeKey(key: readonly string[]): string {
  return key.map(encodeURIComponent).join();
}
