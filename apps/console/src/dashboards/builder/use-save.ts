import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { dashboardQuery } from "./dashboard-api.ts";
import { bodyOf, draftOf } from "./dashboard-body.ts";
import type { Draft, StoredDashboard } from "./draft.ts";
import { type DraftFault, placeFaults } from "./draft-faults.ts";
import type { DraftState } from "./use-draft.ts";

interface SaveOptions {
  /** Null for a new board. */
  readonly stored: StoredDashboard | null;
  readonly state: DraftState;
  readonly onCreated: (id: string) => void;
  /** The service has refused the draft. */
  readonly onRefused: (sent: Draft, faults: readonly DraftFault[]) => void;
}

/** Stores the draft. A board that another person has changed meanwhile is not overwritten without a word. */
export function useSave({ stored, state, onCreated, onRefused }: SaveOptions) {
  const queries = useQueryClient();
  const [base, setBase] = useState(stored);
  const [foreign, setForeign] = useState<StoredDashboard>();
  const [faults, setFaults] = useState<readonly DraftFault[]>([]);
  const { draft } = state;
  const store = async (): Promise<StoredDashboard | undefined> => {
    const data = bodyOf({ ...draft, name: draft.name.trim() });
    if (base === null) return (await client.admin.post("/dashboards", { data })).data;
    const path = { id: base.id };
    const { data: now, etag } = await client.admin.get("/dashboards/{id}", { path });
    if (now.updatedAt !== base.updatedAt) {
      setForeign(now);
      return undefined;
    }
    return (await client.admin.patch("/dashboards/{id}", { path, data, ifMatch: etag })).data;
  };
  const task = useTask(async () => {
    setFaults([]);
    setForeign(undefined);
    try {
      const saved = await store();
      if (saved === undefined) return;
      queries.setQueryData(dashboardQuery(saved.id).queryKey, saved);
      state.saved({ ...draft, name: saved.name });
      if (draft.name !== saved.name) state.change({ ...draft, name: saved.name });
      setBase(saved);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["readings"] }),
        queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
      ]);
      if (base === null) onCreated(saved.id);
    } catch (error) {
      if (!(error instanceof RowhouseError)) throw error;
      const placed = placeFaults(draft, error.faults, "/data");
      setFaults(placed);
      if (error.status === 400) onRefused(draft, placed);
      throw error;
    }
  }, []);
  return {
    task,
    lost: base?.lost ?? [],
    faults,
    foreign,
    /** Begins with what the other person has stored. */
    takeTheirs: () => {
      if (foreign === undefined) return;
      setBase(foreign);
      setForeign(undefined);
      state.begin(draftOf(foreign));
    },
    /** The next attempt overwrites what the other person has stored. */
    keepMine: () => {
      if (foreign === undefined) return;
      setBase(foreign);
      setForeign(undefined);
    },
  };
}
