import { parametersOf } from "../model/app-source.ts";
import type { ViewQuery } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";

/** The parameters of all rows that the person sees: as they are chosen, without pages. */
export function rowParameters(
  { where, search, order_by: order }: ViewQuery,
  { fields }: Pick<ViewState, "fields">,
) {
  return parametersOf({
    ...(where === undefined ? {} : { where }),
    ...(search === undefined ? {} : { search }),
    ...(order === undefined ? {} : { order_by: order }),
    ...(fields === undefined ? {} : { fields }),
  });
}

/** Returns the request of a DataView as a command. The session stays out of it: other programs read the clipboard. */
export function curlOf(id: string, query: ViewQuery, state: ViewState): string {
  const parameters = new URLSearchParams(
    Object.entries(rowParameters(query, state)).map(([name, value]) => [name, String(value)]),
  );
  const text = parameters.toString();
  const path = `/app/api/data-views/${encodeURIComponent(id)}${text === "" ? "" : `?${text}`}`;
  const url = `${location.origin}${path}`.replaceAll("'", "'\\''");
  return `curl '${url}' -H "Authorization: Bearer $TOKEN"`;
}
