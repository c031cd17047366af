import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "./client.ts";

type Setting = AdminOperations["GET /settings"]["answer"]["data"][number];

/** `GET /admin/api/settings`. */
export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: async ({ signal }) => (await client.admin.get("/settings", { signal })).data,
});

/** The address of the installation without slashes at its end: `system.public_url`, or that of this page without one. */
export function publicBase(setting: unknown): string {
  return typeof setting === "string" ? setting.replace(/(?<!\/)\/+$/, "") : location.origin;
}

/** The value of a setting, for administrators; undefined until the settings are loaded. */
export function useSetting(key: string): Setting["value"] | undefined {
  return useQuery(settingsQuery).data?.find((one) => one.key === key)?.value;
}
