import { kindOf } from "../../records/model/resource.ts";
import { namesOf } from "../../records/table/rows-search.ts";
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
  const text = query.toString();
  return text === "" ? resource.path : `${resource.path}?${text}`;
}

/** Returns the request of a view as a command. The session stays out of it: other programs read the clipboard. */
export function curlCommand(view: RowsView): string {
  const url = `${location.origin}${requestPath(view)}`.replaceAll("'", "'\\''");
  return `curl '${url}' -H "Authorization: Bearer $TOKEN"`;
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
  };
  return `const page = await client.from(${address}).list(${JSON.stringify(options, null, 2)});`;
}
