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

/** Returns the path of the request of a DataView, with its query. */
export function requestPath(id: string, query: ViewQuery, state: ViewState): string {
  const parameters = new URLSearchParams(
    Object.entries(rowParameters(query, state)).map(([name, value]) => [name, String(value)]),
  );
  const text = parameters.toString();
  return `/app/api/data-views/${encodeURIComponent(id)}${text === "" ? "" : `?${text}`}`;
}
