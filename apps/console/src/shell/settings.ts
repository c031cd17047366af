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

/** The values of all settings by their keys. */
type SettingValues = ReadonlyMap<string, unknown>;

/** Why a value is unsafe in production; a key of the texts `settings.unsafe`. */
export type SettingWarning =
  | "registrationUnverified"
  | "plainOrigin"
  | "plainUrl"
  | "everyProxy"
  | "sqlByToken"
  | "longSession";

const dayHours = 24;

/** Returns why the value of a setting is unsafe in production; undefined if it is not. */
export function warningOf(key: string, values: SettingValues): SettingWarning | undefined {
  const value = values.get(key);
  switch (key) {
    case "auth.registration_enabled":
      return value === true && values.get("auth.require_email_verification") === false
        ? "registrationUnverified"
        : undefined;
    case "auth.session_ttl_hours":
      return typeof value === "number" && value > 90 * dayHours ? "longSession" : undefined;
    case "security.cors_origins":
      return listOf(value).some(isPlain) ? "plainOrigin" : undefined;
    case "system.public_url":
      return typeof value === "string" && isPlain(value) ? "plainUrl" : undefined;
    case "security.trusted_proxies":
      return listOf(value).some((network) => /\/0$/.test(network)) ? "everyProxy" : undefined;
    case "sql_console.allow_api_tokens":
    case "configuration.allow_sql":
      return value === true ? "sqlByToken" : undefined;
    default:
      return undefined;
  }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Whether a URL is without TLS and not of this machine. */
function isPlain(url: string): boolean {
  return /^http:\/\//i.test(url) && !/^http:\/\/(?:localhost|127\.|\[::1\])/i.test(url);
}
