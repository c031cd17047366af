import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asFault } from "../model/as-fault.ts";
import type { OpenDashboard, ParameterValues } from "../model/open-dashboard.ts";
import type { OpenPanel } from "../model/open-panel.ts";
import { boardQuery, loadPanel } from "./dashboard-queries.ts";

/** Reads single panels again; the other panels stay as they are. */
export function usePanelReload(id: string, parameters: ParameterValues | undefined) {
  const cache = useQueryClient();
  const [loading, setLoading] = useState<ReadonlySet<string>>(new Set());
  const { queryKey } = boardQuery(id, parameters);
  const put = (panel: OpenPanel) =>
    cache.setQueryData<OpenDashboard>(queryKey, (board) =>
      board === undefined
        ? board
        : { ...board, panels: board.panels.map((one) => (one.id === panel.id ? panel : one)) },
    );
  const reload = async (panel: OpenPanel) => {
    setLoading((before) => new Set([...before, panel.id]));
    try {
      put(await loadPanel(id, panel.id, parameters));
    } catch (error) {
      put({ ...panel, error: asFault(error) });
    } finally {
      setLoading((before) => new Set([...before].filter((one) => one !== panel.id)));
    }
  };
  return { loading, reload: (panel: OpenPanel) => void reload(panel) };
}
