import { z } from "zod";

const origin = z
  .string()
  .regex(/^https?:\/\/[^/\s*]+$/, "An origin is a scheme and a host, without a path or a star");

/** Whether a name is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const timeZone = z.string().refine(isTimeZone, "An IANA time zone name");

const whole = (min: number, max: number) => z.int().min(min).max(max);

/** Every setting: its type and its default, in one table (contract §5). */
export const settingDefinitions = {
  "auth.session_ttl_hours": { schema: whole(1, 87_600), default: 720 },
  "auth.registration_enabled": { schema: z.boolean(), default: false },
  // The id of the role that someone gets who registers, or signs in through a provider for the first time.
  "auth.registration_role": { schema: z.guid().nullable(), default: null },
  "auth.require_email_verification": { schema: z.boolean(), default: true },
  "api_keys.default_ttl_days": { schema: whole(1, 3650), default: 365 },
  "api_keys.rotation_warning_days": { schema: whole(0, 3650), default: 30 },
  "api_keys.purge_after_days": { schema: whole(0, 3650), default: 30 },
  "workflows.max_sync_wait_ms": { schema: whole(100, 300_000), default: 30_000 },
  "workflows.run_retention_days": { schema: whole(1, 3650), default: 30 },
  // Hosts (`name` or `name:port`) that workflows may send requests to although their address is not public.
  "workflows.allowed_hosts": { schema: z.array(z.string().min(1).max(260)).max(100), default: [] },
  "system.timezone": { schema: timeZone.nullable(), default: null },
  "system.public_url": { schema: z.url().nullable(), default: null },
  "security.cors_origins": { schema: z.array(origin).max(100), default: [] },
  "security.trusted_proxies": { schema: z.array(z.string()).max(100), default: [] },
  "data.default_limit": { schema: whole(1, 100_000), default: 50 },
  "data.max_limit": { schema: whole(1, 100_000), default: 1000 },
  "data.max_filter_nodes": { schema: whole(1, 10_000), default: 200 },
  "data.max_filter_depth": { schema: whole(1, 64), default: 8 },
  "data.max_in_values": { schema: whole(1, 100_000), default: 1000 },
  "data.max_array_rows": { schema: whole(1, 100_000), default: 1000 },
  "data.max_affected": { schema: whole(1, 10_000_000), default: 10_000 },
  "data.max_relation_depth": { schema: whole(0, 10), default: 3 },
  // Exports that run at once, in one process and for one user; each holds a connection to the database.
  "data.max_exports": { schema: whole(0, 1000), default: 4 },
  "data.max_exports_per_user": { schema: whole(0, 1000), default: 2 },
  "data.statement_timeout_ms": { schema: whole(10, 3_600_000), default: 10_000 },
  "data.export_timeout_ms": { schema: whole(1000, 86_400_000), default: 600_000 },
  // How long the reader of an export may take nothing.
  "data.export_stall_ms": { schema: whole(1000, 3_600_000), default: 60_000 },
  "limits.body_bytes": { schema: whole(1024, 104_857_600), default: 1_048_576 },
} as const satisfies Record<string, { schema: z.ZodType; default: unknown }>;

export type SettingKey = keyof typeof settingDefinitions;

/** Every setting with its value. */
export type Settings = {
  readonly [Key in SettingKey]: z.output<(typeof settingDefinitions)[Key]["schema"]>;
};
