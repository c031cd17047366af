import { splitTerms } from "@rowhouse/access/written-name";
import { type AdminOperations, writeJson } from "@rowhouse/client";
import { client } from "../../shell/client.ts";
import type { ViewQuery, ViewSource } from "../model/open-view.ts";

type Preview = AdminOperations["POST /data-views/preview"]["data"];

/** Reads a DataView that is not saved: as the administrator, or as somebody else. */
export function previewSource(view: Preview["view"], as: Preview["as"]): ViewSource {
  return {
    key: `preview ${writeJson({ view, as })}`,
    isPreview: true,
    read: (query, signal) =>
      client.admin.post("/data-views/preview", {
        data: { view, ...(as === undefined ? {} : { as }), query: bodyOf(query) },
        signal,
      }),
  };
}

function bodyOf({
  order_by: order,
  fields,
  where,
  ...query
}: ViewQuery): NonNullable<Preview["query"]> {
  return {
    ...query,
    ...(where === undefined ? {} : { where: { ...where } }),
    ...(order === undefined ? {} : { orderBy: splitTerms(order) }),
    ...(fields === undefined ? {} : { fields: splitTerms(fields) }),
  };
}
