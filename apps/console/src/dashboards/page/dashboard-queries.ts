import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { OpenDashboard, ParameterValues } from "../model/open-dashboard.ts";
import type { OpenPanel, PanelField } from "../model/open-panel.ts";
import type { PanelRowsSearch } from "../model/panel-rows-search.ts";

type Read = (path: string, options: object) => Promise<{ readonly data: unknown }>;

/** The types of the client do not have these routes yet. */
const read = client.app.get as unknown as Read;

/** A value of a parameter that a person may choose. */
export interface Choice {
  readonly value: unknown;
  readonly label: string;
}

function queryOf(parameters: ParameterValues | undefined) {
  return parameters === undefined ? {} : { parameters: JSON.stringify(parameters) };
}

/** The places of the panels and the values of the parameters, which arrive before the content. */
export const outlineQuery = (id: string, parameters: ParameterValues | undefined) =>
  queryOptions({
    queryKey: ["dashboard outline", id, parameters],
    queryFn: async ({ signal }): Promise<OpenDashboard> => {
      const query = { ...queryOf(parameters), panels: false };
      return (await read("/dashboards/{id}", { path: { id }, query, signal }))
        .data as OpenDashboard;
    },
    placeholderData: keepPreviousData,
  });

/** The content of every panel. */
export const boardQuery = (id: string, parameters: ParameterValues | undefined) =>
  queryOptions({
    queryKey: ["dashboard", id, parameters],
    queryFn: async ({ signal }): Promise<OpenDashboard> => {
      const query = queryOf(parameters);
      return (await read("/dashboards/{id}", { path: { id }, query, signal }))
        .data as OpenDashboard;
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
  return (await read("/dashboards/{id}/panels/{panelId}", { path, query })).data as OpenPanel;
}

/** The values that a parameter may have, as far as this person may read them. */
export const choicesQuery = (id: string, name: string, search: string) =>
  queryOptions({
    queryKey: ["dashboard choices", id, name, search],
    queryFn: async ({ signal }): Promise<readonly Choice[]> => {
      const query = search === "" ? {} : { search };
      const path = { id, name };
      return (await read("/dashboards/{id}/parameters/{name}/values", { path, query, signal }))
        .data as readonly Choice[];
    },
    placeholderData: keepPreviousData,
  });

/** The rows behind a mark, in the form of a list. */
export const panelRowsQuery = (id: string, panelId: string, search: PanelRowsSearch) =>
  queryOptions({
    queryKey: ["dashboard rows", id, panelId, search],
    queryFn: async ({ signal }) => {
      const { parameters, mark = {} } = search;
      const query = { ...queryOf(parameters), mark: JSON.stringify(mark) };
      const path = { id, panelId };
      const { data } = await read("/dashboards/{id}/panels/{panelId}/rows", {
        ...{ path, query, signal },
      });
      const { fields, rows } = data as {
        readonly fields: readonly PanelField[];
        readonly rows: OpenPanel["rows"];
      };
      const layout = { x: 0, y: 0, w: 12, h: 12 };
      const panel: OpenPanel = {
        ...{ id: panelId, title: "", kind: "LIST", layout, presentation: {} },
        ...{ fields, rows },
      };
      return { ...panel, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    },
  });
