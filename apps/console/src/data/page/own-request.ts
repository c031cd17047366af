import { splitTerms, writeName } from "@rowhouse/access/written-name";
import { kindOf } from "../../records/model/resource.ts";
import { listOf, namesOf } from "../../records/table/rows-search.ts";
import { type McpCall, readRowsCall } from "../../shell/mcp-call.ts";
import type { RowsView } from "./use-rows-view.ts";

/** Returns the path of the request that lists the rows of a view, with its query. */
export function requestPath({ resource, search, columns }: RowsView): string {
  const query = new URLSearchParams();
  const fields = columns.map(({ name }) => name);
  if (search.fields !== undefined) query.set("fields", search.fields);
  else if (fields.length < resource.columns.length) query.set("fields", fields.join());
  if (search.where !== undefined) query.set("where", JSON.stringify(search.where));
  if (search.order_by !== undefined) query.set("order_by", search.order_by);
  if (search.search !== undefined) query.set("search", search.search);
  if (search.from !== undefined) query.set("offset", String(search.from - 1));
  const text = query.toString();
  return text === "" ? resource.path : `${resource.path}?${text}`;
}

/** Returns the request of a view as code of the client. */
export function clientCode({ resource, search }: RowsView): string {
  const { schema, name } = resource;
  const address = JSON.stringify({ schema, name, kind: kindOf(resource) });
  const options = {
    ...(search.fields === undefined ? {} : { fields: namesOf(search.fields) }),
    ...(search.where === undefined ? {} : { where: search.where }),
    ...(search.order_by === undefined ? {} : { orderBy: search.order_by }),
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.from === undefined ? {} : { offset: search.from - 1 }),
  };
  return `const page = await client.from(${address}).list(${JSON.stringify(options, null, 2)});`;
}

/** Returns the request of a view as a call of a tool of the MCP server. */
export function mcpCall(view: RowsView): McpCall {
  const { resource, search, columns } = view;
  const { schema, name } = resource;
  const rows = { where: search.where, search: search.search };
  const groups = namesOf(search.group);
  if (groups.length > 0) {
    const terms = groupTerms(view, groups);
    return { tool: "aggregate_rows", arguments: { schema, name, ...terms, ...rows } };
  }
  const isPart = columns.length < resource.columns.length;
  const fields =
    search.fields ?? (isPart ? listOf(columns.map((column) => column.name)) : undefined);
  return readRowsCall(resource, {
    fields: fields === undefined ? undefined : splitTerms(fields),
    ...rows,
    orderBy: search.order_by === undefined ? undefined : splitTerms(search.order_by),
  });
}

/** Columns whose sums stand beside the number of rows. */
const sumsMax = 4;

/** Returns the columns whose sums stand beside the number of rows of each group. */
export function summedColumns(view: Pick<RowsView, "columns">, names: readonly string[]) {
  return (
    view.columns
      .filter(({ name, isNumeric }) => isNumeric && !names.includes(name))
      // The sum of a year or of a key says nothing; a person has given amounts a format.
      .filter(({ column }) => column.format !== null)
      .slice(0, sumsMax)
  );
}

/** Returns the terms of the request that counts the rows of a view by the values of some columns. */
export function groupTerms(view: Pick<RowsView, "columns">, names: readonly string[]) {
  const sums = summedColumns(view, names).map(({ name }) => `sum(${writeName(name)})` as const);
  const groupBy = names.map(writeName);
  return { aggregate: ["count(*)" as const, ...sums], groupBy, orderBy: groupBy };
}
