import { type AppOperations, writeJson } from "@rowhouse/client";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { OpenReading, ReadingQuery, ReadRows } from "../../records/readings/open-reading.ts";
import { client, type Received } from "../../shell/client.ts";
import type { OpenDashboard, ParameterValues } from "../model/open-dashboard.ts";
import type { Mark, OpenPanel } from "../model/open-panel.ts";

/** A value of a parameter that a person may choose. */
type Choice = Received<
  AppOperations["GET /dashboards/{id}/parameters/{name}/values"]["answer"]["data"]
>[number];

function queryOf(parameters: ParameterValues | undefined) {
  return parameters === undefined ? {} : { parameters: writeJson(parameters) };
}

/** The places of the panels and the values of the parameters, which arrive before the content. */
export const outlineQuery = (id: string, parameters: ParameterValues | undefined) =>
  queryOptions({
    queryKey: ["dashboard outline", id, parameters],
    queryFn: async ({ signal }): Promise<OpenDashboard> => {
      const query = { ...queryOf(parameters), panels: "false" as const };
      const { data } = await client.app.get("/dashboards/{id}", { path: { id }, query, signal });
      return data;
    },
    placeholderData: keepPreviousData,
  });

/** The content of every panel. */
export const boardQuery = (id: string, parameters: ParameterValues | undefined) =>
  queryOptions({
    queryKey: ["dashboard", id, parameters],
    queryFn: async ({ signal }): Promise<OpenDashboard> => {
      const query = queryOf(parameters);
      const { data } = await client.app.get("/dashboards/{id}", { path: { id }, query, signal });
      return data;
    },
  });

/** Reads one panel again. */
export async function loadPanel(
  id: string,
  panelId: string,
  parameters: ParameterValues | undefined,
): Promise<OpenPanel> {
  const path = { id, panelId };
  const query = queryOf(parameters);
  const { data } = await client.app.get("/dashboards/{id}/panels/{panelId}", { path, query });
  return data;
}

/** The values that a parameter may have, as far as this person may read them. */
export const choicesQuery = (id: string, name: string, search: string) =>
  queryOptions({
    queryKey: ["dashboard choices", id, name, search],
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const query = search === "" ? {} : { search };
      const path = { id, name };
      const options = { path, query, signal };
      return (await client.app.get("/dashboards/{id}/parameters/{name}/values", options)).data;
    },
    placeholderData: keepPreviousData,
  });

/** Reads one panel again. */
export const panelQuery = (id: string, panelId: string, parameters: ParameterValues | undefined) =>
  queryOptions({
    queryKey: ["dashboard panel", id, panelId, parameters],
    queryFn: () => loadPanel(id, panelId, parameters),
  });

/** The rows behind a mark; their name is the title of the panel. */
type PanelReading = OpenReading & { readonly name: string };

/** A mark of a panel, with the parameters that the panel was read with. */
export interface MarkPlace {
  /** Of the dashboard. */
  readonly id: string;
  readonly panelId: string;
  readonly parameters: ParameterValues | undefined;
  readonly mark: Mark | undefined;
}

function rowsOptions({ id, panelId, parameters, mark }: MarkPlace, query: ReadingQuery) {
  const { where, summaries: _, ...rest } = query;
  return {
    path: { id, panelId },
    query: {
      ...rest,
      ...queryOf(parameters),
      ...(mark === undefined ? {} : { mark: writeJson(mark) }),
      ...(where === undefined ? {} : { where: writeJson(where) }),
    },
  };
}

/** Returns the function that reads the rows behind a mark. */
export function readPanelRows(place: MarkPlace): ReadRows<ReadingQuery, PanelReading> {
  return (query, signal) =>
    client.app.get("/dashboards/{id}/panels/{panelId}/rows", {
      ...rowsOptions(place, query),
      signal,
    });
}

/** The first rows behind a mark. */
export const panelRowsQuery = (place: MarkPlace, query: ReadingQuery) =>
  queryOptions({
    queryKey: ["dashboard rows", place, query],
    queryFn: ({ signal }) => readPanelRows(place)(query, signal),
    // Edited rows stay where they are until the person loads again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Reads all rows behind a mark as a file of CSV. */
export function downloadPanelRows(place: MarkPlace, query: ReadingQuery): Promise<Blob> {
  const { limit: _limit, count: _count, cursor: _cursor, ...chosen } = query;
  return client.app.download("/dashboards/{id}/panels/{panelId}/rows", {
    ...rowsOptions(place, chosen),
    accept: "text/csv",
  });
}
