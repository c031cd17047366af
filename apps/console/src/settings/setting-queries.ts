import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import { textParameter } from "../shell/text-parameter.ts";

/** `GET /admin/api/roles`: the roles that new accounts may get. */
export const settingRolesQuery = queryOptions({
  queryKey: ["settings", "roles"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/roles", { query: { limit: 1000 }, signal })).data,
});

/** `GET /admin/api/sealed-values`. */
export const sealedValuesQuery = queryOptions({
  queryKey: ["sealed-values"],
  queryFn: async ({ signal }) => (await client.admin.get("/sealed-values", { signal })).data,
});

/** The state of the page of the settings, as its address has it. */
interface SettingsSearch {
  readonly search?: string | undefined;
  /** The group that the page shows first. */
  readonly section?: string | undefined;
}

/** Reads the parameters of an address. */
export function readSettingsSearch(raw: Readonly<Record<string, unknown>>): SettingsSearch {
  return { search: textParameter(raw.search), section: textParameter(raw.section) };
}
