import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import { personQuery } from "../shell/navigation.ts";
import { settingsQuery } from "../shell/settings.ts";

type SettingsChange = AdminOperations["PATCH /settings"]["data"];

/** Returns the function that changes settings. It rejects if the service refuses. */
export function useSettingsChange(): (change: Record<string, unknown>) => Promise<void> {
  const cache = useQueryClient();
  return async (change) => {
    const { data } = await client.admin.patch("/settings", { data: change as SettingsChange });
    cache.setQueryData(settingsQuery.queryKey, data);
    // Whether there is a server is a part of it.
    await cache.invalidateQueries({ queryKey: personQuery.queryKey });
  };
}
