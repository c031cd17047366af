import { writeJson } from "@rowhouse/client";
import { client } from "../../shell/client.ts";
import type { ViewQuery, ViewSource } from "./open-view.ts";

/** Reads a DataView as the person of the session. */
export function appSource(id: string): ViewSource {
  return {
    key: id,
    isPreview: false,
    read: (query, signal) =>
      client.app.get("/data-views/{id}", {
        path: { id },
        query: parametersOf(query),
        ...{ etags: true, signal },
      }),
  };
}

/** Returns the parameters of a reading, without those that are not chosen. */
export function parametersOf({ where, group, summaries, ...query }: ViewQuery) {
  return {
    ...query,
    ...(where === undefined ? {} : { where: writeJson(where) }),
    ...(group === undefined ? {} : { group: writeJson(group) }),
    ...(summaries === true ? { summaries: "true" as const } : {}),
  };
}
