import { z } from "zod";
import { isTimeZone } from "./time-zone.ts";

const origin = z
  .string()
  .regex(/^https?:\/\/[^/\s*]+$/, "An origin is a scheme and a host, without a path or a star");

const timeZone = z.string().refine(isTimeZone, "An IANA time zone name, such as Europe/Oslo");

const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  "An address (10.0.0.1) or a network (10.0.0.0/8)",
);

const host = z
  .string()
  .max(260)
  .regex(/^(?:[^\s/:@[\]?#]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/, "A host: name or name:port");

const address = z.url({ protocol: /^https?$/, error: "An address that begins with http(s)://" });

const whole = (min: number, max: number) => z.int().min(min).max(max);

/** What there is to know of a setting. */
export interface SettingDefinition {
  readonly schema: z.ZodType;
  /** Null wherever null is a value: so null in a change always means the default. */
  readonly default: unknown;
  /** A sentence for administrators. */
  readonly description: string;
  /** Whether it takes an administrator who is signed in; a token does not change it (spec §5.10). */
  readonly sessionOnly?: boolean;
}

/** Every setting: its type and its default, in one table. */
export const settingDefinitions = {
  "auth.session_ttl_hours": {
    schema: whole(1, 87_600),
    default: 720,
    description: "Hours that a session lasts from sign-in, used or not",
  },
  "auth.registration_enabled": {
    schema: z.boolean(),
    default: false,
    description: "Whether people may make an account for themselves",
  },
  "auth.registration_role": {
    schema: z.guid().nullable(),
    default: null,
    description: "The id of the role that such an account gets; never Administrators",
  },
  "auth.require_email_verification": {
    schema: z.boolean(),
    default: true,
    description: "Whether an unconfirmed address keeps from signing in",
  },
  "auth.attempts_per_minute": {
    schema: whole(1, 1_000_000),
    default: 120,
    description: "Tries to get in that one address may make a minute, over all processes",
  },
  "auth.mails_per_minute": {
    schema: whole(1, 1_000_000),
    default: 20,
    description: "Requests of one address a minute that may lead to a mail",
  },
  "api_keys.default_ttl_days": {
    schema: whole(1, 3650),
    default: 365,
    description: "Days that a token lives where no lifetime is given",
  },
  "api_keys.rotation_warning_days": {
    schema: whole(0, 3650),
    default: 30,
    description: "Tokens that end within this many days are flagged",
  },
  "api_keys.purge_after_days": {
    schema: whole(0, 3650),
    default: 30,
    description: "Days after which revoked and expired tokens are deleted",
  },
  "workflows.max_sync_wait_ms": {
    schema: whole(100, 300_000),
    default: 30_000,
    description: "Milliseconds that a webhook call waits at most",
  },
  "workflows.run_retention_days": {
    schema: whole(1, 3650),
    default: 30,
    description: "Days that finished runs are kept",
  },
  "workflows.allowed_hosts": {
    schema: z.array(host).max(100),
    default: [],
    description:
      "Hosts (`name` or `name:port`) that workflows may call although their address is not public",
  },
  "workflows.public_hosts": {
    schema: z.array(host).max(100).nullable(),
    default: null,
    description:
      "The public hosts (`name`, `name:port`, `*.name` for all under it) that workflows may call; null for every one",
  },
  "auth.provider_hosts": {
    schema: z.array(host).max(100),
    default: [],
    description:
      "Hosts (`name` or `name:port`) of sign-in providers that may be called although their address is not public",
  },
  "system.timezone": {
    schema: timeZone.nullable(),
    default: null,
    description:
      "The IANA time zone in which days begin and end, for users without one of their own",
  },
  "system.public_url": {
    schema: address.nullable(),
    default: null,
    description: "The address that links in mails begin with",
  },
  "security.cors_origins": {
    schema: z.array(origin).max(100),
    default: [],
    description: "Origins whose pages may call the API",
  },
  "security.trusted_proxies": {
    schema: z.array(network).max(100),
    default: [],
    description: "Proxies, by address or network, whose `X-Forwarded-For` is believed",
  },
  "security.requests_per_minute": {
    schema: whole(0, 10_000_000),
    default: 0,
    description: "Requests that one address may make a minute, whatever they are; 0 for no bound",
  },
  "data.default_limit": {
    schema: whole(1, 100_000),
    default: 50,
    description: "Rows of a list where no `limit` is given; at most `data.max_limit`",
  },
  "data.max_limit": {
    schema: whole(1, 100_000),
    default: 1000,
    description: "The highest `limit`",
  },
  "data.max_filter_nodes": {
    schema: whole(1, 10_000),
    default: 200,
    description: "Parts of a filter at most",
  },
  "data.max_filter_depth": {
    schema: whole(1, 64),
    default: 8,
    description: "Levels of a filter at most",
  },
  "data.max_in_values": {
    schema: whole(1, 100_000),
    default: 1000,
    description: "Values of a list in a filter at most",
  },
  "data.max_array_rows": {
    schema: whole(1, 100_000),
    default: 1000,
    description: "Rows that one POST creates at most",
  },
  "data.max_affected": {
    schema: whole(1, 10_000_000),
    default: 10_000,
    description: "The highest `max_affected`",
  },
  "data.max_relation_depth": {
    schema: whole(0, 10),
    default: 3,
    description: "Relations that a path crosses at most",
  },
  "data.max_exports": {
    schema: whole(0, 1000),
    default: 4,
    description: "Exports that run at once in one process; each holds a connection to the database",
  },
  "data.max_exports_per_user": {
    schema: whole(0, 1000),
    default: 2,
    description: "Exports of one user that run at once in one process",
  },
  "data.statement_timeout_ms": {
    schema: whole(10, 3_600_000),
    default: 10_000,
    description: "Milliseconds that a request's statement runs at most, then 504",
  },
  "data.export_timeout_ms": {
    schema: whole(1000, 86_400_000),
    default: 600_000,
    description: "Milliseconds that an export runs at most",
  },
  "data.export_stall_ms": {
    // Every connection ends after a minute of which nothing is taken.
    schema: whole(1000, 60_000),
    default: 60_000,
    description: "Milliseconds for which the reader of an export may take nothing",
  },
  "views.refresh_timeout_ms": {
    schema: whole(1000, 86_400_000),
    default: 3_600_000,
    description: "Milliseconds that a refresh of a materialized view runs at most",
  },
  "limits.body_bytes": {
    schema: whole(1024, 104_857_600),
    default: 1_048_576,
    description: "Bytes of a body at most",
  },
  "mcp.enabled": {
    schema: z.boolean(),
    default: false,
    description: "Whether the MCP server answers",
    sessionOnly: true,
  },
  "sql_console.allow_api_tokens": {
    schema: z.boolean(),
    default: false,
    description: "Whether the SQL console takes tokens of the admin plane",
    sessionOnly: true,
  },
  "sql_console.default_rows": {
    schema: whole(1, 1_000_000),
    default: 1000,
    description: "Rows of a result where no `rowsMax` is given",
  },
  "sql_console.max_rows": {
    schema: whole(1, 1_000_000),
    default: 10_000,
    description: "The highest `rowsMax`",
  },
  "sql_console.max_bytes": {
    schema: whole(1024, 268_435_456),
    default: 8_388_608,
    description: "Bytes of all values that a run of the SQL console gives",
  },
  "sql_console.default_timeout_ms": {
    schema: whole(100, 3_600_000),
    default: 10_000,
    description: "Milliseconds that a run takes at most where no `timeoutMs` is given",
  },
  "sql_console.max_timeout_ms": {
    schema: whole(100, 3_600_000),
    default: 60_000,
    description: "The highest `timeoutMs`",
  },
  "sql_console.max_runs": {
    schema: whole(0, 40),
    default: 4,
    description: "Runs of the SQL console at once, in all processes together; 0 switches it off",
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof settingDefinitions;

/** Every setting with its value. */
export type Settings = {
  readonly [Key in SettingKey]: z.output<(typeof settingDefinitions)[Key]["schema"]>;
};

/** What there is to know of one setting. */
export function definitionOf(key: SettingKey): SettingDefinition {
  return settingDefinitions[key];
}

/** The keys, in the order of the table. */
export const settingKeys = Object.keys(settingDefinitions) as SettingKey[];
