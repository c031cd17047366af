import { RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../shell/client.ts";
import type { SeenAs } from "../../shell/seen-as.ts";
import { useDelayed } from "../../shell/use-delayed.ts";
import type { OpenPanel } from "../model/open-panel.ts";
import { bodyOf } from "./dashboard-body.ts";
import type { Draft, Panel } from "./draft.ts";
import { type DraftFault, placeFaults } from "./draft-faults.ts";
import { contentKey, isComplete, withOnly } from "./preview-content.ts";

/** What a panel shows, or why the service refuses it. */
export type PanelPreview =
  | { readonly panel: OpenPanel; readonly timeZone: string }
  | { readonly faults: readonly Omit<DraftFault, "part">[] };

const pauseMs = 250;
const root = "/data/dashboard";

interface Wanted {
  readonly draft: Draft;
  readonly as: SeenAs | undefined;
}

/**
 * Reads the panels of a draft as they would open, as oneself or as somebody else. Only panels whose content is new are
 * read, in one request.
 */
export function usePreview(draft: Draft, as: SeenAs | undefined) {
  const [cache] = useState(() => new Map<string, PanelPreview>());
  const keyOf = (panel: Panel) => `${JSON.stringify(as ?? null)} ${contentKey(draft, panel)}`;
  const panels = draft.panels.filter(isComplete);
  const key = useDelayed(JSON.stringify(panels.map((panel) => [panel.id, keyOf(panel)])), pauseMs);
  const { error, refetch, isFetching } = useQuery({
    queryKey: ["dashboards", "preview", key],
    // The cache has what is known; rows may have changed since another page was open.
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const unknown = panels.filter((panel) => !cache.has(keyOf(panel)));
      await readPanels({ draft, as }, unknown, signal, (panel, preview) =>
        cache.set(keyOf(panel), preview),
      );
      return key;
    },
  });
  return {
    error,
    isFetching,
    /** Undefined while it is not known yet. */
    previewOf: (panel: Panel): PanelPreview | undefined => cache.get(keyOf(panel)),
    /** Reads everything again. */
    reload: () => {
      cache.clear();
      void refetch();
    },
    retry: (panel: Panel) => {
      cache.delete(keyOf(panel));
      void refetch();
    },
  };
}

/** Reads panels; those that the service refuses are left out of the next request. */
async function readPanels(
  wanted: Wanted,
  panels: readonly Panel[],
  signal: AbortSignal,
  keep: (panel: Panel, preview: PanelPreview) => void,
): Promise<void> {
  if (panels.length === 0) return;
  const ids = new Set(panels.map(({ id }) => id));
  const part = withOnly(wanted.draft, ids);
  try {
    const { panels: found, timeZone } = await request({ ...wanted, draft: part }, signal);
    for (const panel of panels) {
      const open = found.find(({ id }) => id === panel.id);
      if (open !== undefined) keep(panel, { panel: open, timeZone });
    }
  } catch (error) {
    if (!(error instanceof RowhouseError) || error.status !== 400) throw error;
    const faults = placeFaults(part, error.faults, root);
    const refused = part.panels.filter((panel) => faults.some((one) => one.part === panel));
    if (refused.length === 0) throw error;
    for (const panel of refused) {
      keep(panel, { faults: faults.filter((one) => one.part === panel) });
    }
    const others = panels.filter(({ id }) => refused.every((one) => one.id !== id));
    await readPanels(wanted, others, signal, keep);
  }
}

async function request({ draft, as }: Wanted, signal: AbortSignal) {
  // A board without a name can be looked at.
  const dashboard = bodyOf({ ...draft, name: draft.name.trim() === "" ? "-" : draft.name });
  const caller =
    as === undefined ? {} : "userId" in as ? { as } : { as: { roleIds: [...as.roleIds] } };
  const { data } = await client.admin.post("/dashboards/preview", {
    data: { dashboard, ...caller },
    signal,
  });
  // Without the id of a panel, the response has all of them.
  const board = data as Extract<typeof data, { readonly timeZone: unknown }>;
  return { timeZone: board.timeZone, panels: board.panels };
}
