import { z } from "zod";
import { mcpDefinitions } from "./mcp-definitions.ts";
import { returnAddress } from "./return-address.ts";
import type { SettingDefinition } from "./setting-definition.ts";
import {
  address,
  host,
  imagePresets,
  mediaType,
  network,
  origin,
  scanner,
  timeZone,
  whole,
} from "./value-schemas.ts";

/** All settings with type and default. */
export const settingDefinitions = {
  "auth.session_ttl_hours": {
    schema: whole(1, 87_600),
    default: 720,
    description: "Lifetime of a session in hours, from sign-in; use does not extend it",
  },
  "auth.registration_enabled": {
    schema: z.boolean(),
    default: false,
    description:
      "Whether people can register an account; requires `auth.registration_role` with API access",
  },
  "auth.registration_role": {
    schema: z.guid().nullable(),
    default: null,
    description: "Id of the role of registered accounts; never Administrators",
  },
  "auth.require_email_verification": {
    schema: z.boolean(),
    default: true,
    description: "Whether sign-in requires a verified email address",
  },
  "auth.attempts_per_minute": {
    schema: whole(1, 1_000_000),
    default: 120,
    description: "Maximum authentication attempts per minute from one address, over all processes",
  },
  "auth.mails_per_minute": {
    schema: whole(1, 1_000_000),
    default: 20,
    description: "Maximum requests per minute from one address that may send a mail",
  },
  "auth.return_addresses": {
    schema: z.array(returnAddress).max(100),
    default: [],
    description:
      "Addresses of other front ends to which links in mails and providers may return: exact, or with `/*` at the end for all paths below",
  },
  "api_keys.default_ttl_days": {
    schema: whole(1, 3650),
    default: 365,
    description: "Lifetime of a token in days if none is given",
  },
  "api_keys.rotation_warning_days": {
    schema: whole(0, 3650),
    default: 30,
    description: "Number of days before its expiry from which a token is flagged",
  },
  "api_keys.purge_after_days": {
    schema: whole(0, 3650),
    default: 30,
    description: "Number of days after which revoked and expired tokens are deleted",
  },
  "workflows.max_sync_wait_ms": {
    schema: whole(100, 300_000),
    default: 30_000,
    description: "Maximum wait of a webhook call in milliseconds",
  },
  "workflows.run_retention_days": {
    schema: whole(1, 3650),
    default: 30,
    description: "Number of days for which finished runs are stored",
  },
  "workflows.failure_mail_minutes": {
    schema: whole(1, 1440),
    default: 15,
    description: "Minimum number of minutes between two mails to one person about failed runs",
  },
  "workflows.allowed_hosts": {
    schema: z.array(host).max(100),
    default: [],
    description: "Hosts (`name` or `name:port`) with non-public addresses that workflows may call",
  },
  "workflows.public_hosts": {
    schema: z.array(host).max(100).nullable(),
    default: null,
    description:
      "Public hosts (`name`, `name:port`, or `*.name` for all subdomains) that workflows may call; null allows all",
  },
  "auth.provider_hosts": {
    schema: z.array(host).max(100),
    default: [],
    description:
      "Hosts (`name` or `name:port`) of sign-in providers with non-public addresses that may be called",
  },
  "system.timezone": {
    schema: timeZone.nullable(),
    default: null,
    description: "IANA time zone in which days begin and end, for users without their own",
  },
  "system.public_url": {
    schema: address.nullable(),
    default: null,
    description: "Base URL of links in mails",
  },
  "security.cors_origins": {
    schema: z.array(origin).max(100),
    default: [],
    description: "Origins whose pages may call the API",
  },
  "security.trusted_proxies": {
    schema: z.array(network).max(100),
    default: [],
    description: "Proxies, by address or network, whose `X-Forwarded-For` is trusted",
  },
  "security.requests_per_minute": {
    schema: whole(0, 10_000_000),
    default: 0,
    description: "Maximum requests per minute from one address; 0 for no limit",
  },
  "data.default_limit": {
    schema: whole(1, 100_000),
    default: 50,
    description: "Number of rows of a list without `limit`; at most `data.max_limit`",
  },
  "data.max_limit": {
    schema: whole(1, 100_000),
    default: 1000,
    description: "The highest `limit`",
  },
  "data.max_filter_nodes": {
    schema: whole(1, 10_000),
    default: 200,
    description: "Maximum number of parts in a filter",
  },
  "data.max_filter_depth": {
    schema: whole(1, 64),
    default: 8,
    description: "Maximum number of levels in a filter",
  },
  "data.max_in_values": {
    schema: whole(1, 100_000),
    default: 1000,
    description: "Maximum number of values in a list of a filter",
  },
  "data.max_array_rows": {
    schema: whole(1, 100_000),
    default: 1000,
    description: "Maximum number of rows that one POST creates",
  },
  "data.max_affected": {
    schema: whole(1, 10_000_000),
    default: 10_000,
    description: "The highest `max_affected`",
  },
  "data.max_relation_depth": {
    schema: whole(0, 10),
    default: 3,
    description: "Maximum number of relations in a path",
  },
  "data.max_related_rows": {
    schema: whole(1, 100_000),
    default: 1000,
    description:
      "Rows of a to-many list where `deep` gives no `limit`; `meta.more` names lists that have more",
  },
  "data.history_retention_days": {
    schema: whole(1, 36_500),
    default: 365,
    description: "Number of days for which the row history of tables is stored",
  },
  "data.max_response_bytes": {
    schema: whole(65_536, 268_435_456),
    default: 33_554_432,
    description: "Bytes of an answer at most; beyond that 400, and exports",
  },
  "data.max_response_bytes_at_once": {
    schema: whole(65_536, 8_589_934_592),
    default: 134_217_728,
    description: "Bytes that large answers hold at once in one process; further ones wait",
  },
  "data.share_statements": {
    schema: z.boolean(),
    default: true,
    description: "Whether reads of one shape that arrive together share an SQL statement",
  },
  "data.max_exports": {
    schema: whole(0, 1000),
    default: 4,
    description:
      "Maximum number of concurrent exports in one process; each uses a database connection",
  },
  "data.max_exports_per_user": {
    schema: whole(0, 1000),
    default: 2,
    description: "Maximum number of concurrent exports of one user in one process",
  },
  "data.statement_timeout_ms": {
    schema: whole(10, 3_600_000),
    default: 10_000,
    description: "Maximum duration of a request's statement in milliseconds; then 504",
  },
  "data.export_timeout_ms": {
    schema: whole(1000, 86_400_000),
    default: 600_000,
    description: "Maximum duration of an export in milliseconds",
  },
  "data.export_stall_ms": {
    // Every connection is closed after a minute without progress.
    schema: whole(1000, 60_000),
    default: 60_000,
    description: "Maximum time in milliseconds during which the reader of an export reads nothing",
  },
  "views.refresh_timeout_ms": {
    schema: whole(1000, 86_400_000),
    default: 3_600_000,
    description: "Maximum duration of a materialized view's refresh in milliseconds",
  },
  "limits.body_bytes": {
    schema: whole(1024, 104_857_600),
    default: 1_048_576,
    description: "Maximum size of a body in bytes",
  },
  "limits.import_bytes": {
    schema: whole(1024, 1_099_511_627_776),
    default: 268_435_456,
    description: "Maximum size of an import in bytes",
  },
  "limits.import_rows": {
    schema: whole(1, 1_000_000_000),
    default: 1_000_000,
    description: "Maximum number of rows of an import",
  },
  "limits.imports_at_once": {
    schema: whole(0, 1000),
    default: 2,
    description:
      "Maximum number of concurrent imports in one process; each uses a database connection",
  },
  "limits.imports_per_user": {
    schema: whole(0, 1000),
    default: 1,
    description: "Maximum number of concurrent imports of one user in one process",
  },
  "limits.import_timeout_ms": {
    schema: whole(1000, 86_400_000),
    default: 600_000,
    description: "Maximum duration of an import in milliseconds, its upload included",
  },
  "limits.import_stall_ms": {
    schema: whole(1000, 60_000),
    default: 30_000,
    description: "Maximum time in milliseconds during which the sender of an import sends nothing",
  },
  "files.max_bytes": {
    schema: whole(1, 1_099_511_627_776),
    default: 1_073_741_824,
    description: "Maximum size of a file in bytes",
  },
  "files.max_bytes_per_user": {
    schema: whole(0, 1_125_899_906_842_624),
    default: 0,
    description: "Maximum size in bytes of all files that one user uploaded; 0 for no limit",
  },
  "files.max_bytes_total": {
    schema: whole(0, 1_125_899_906_842_624),
    default: 0,
    description: "Maximum size in bytes of all files; 0 for no limit",
  },
  "files.allowed_types": {
    schema: z.array(mediaType).max(100),
    default: [],
    description:
      "Media types of files, such as `application/pdf` or `image/*`; an empty list allows all",
  },
  "files.max_uploads_per_user": {
    schema: whole(1, 1000),
    default: 8,
    description: "Maximum number of uploads of one user that are received at once",
  },
  "files.upload_lifetime_hours": {
    schema: whole(1, 720),
    default: 24,
    description: "Number of hours after which an incomplete upload is deleted",
  },
  "files.upload_stall_ms": {
    schema: whole(1000, 60_000),
    default: 30_000,
    description: "Maximum time in milliseconds during which the sender of a file sends nothing",
  },
  "files.public_url": {
    schema: address.nullable(),
    default: null,
    description: "Base URL of links to files, if they have an origin of their own",
  },
  "files.link_max_lifetime_seconds": {
    schema: whole(60, 604_800),
    default: 60,
    description:
      "Maximum lifetime of a link to a file in seconds, and the time for which browsers may keep what it opened",
  },
  "files.scan_url": {
    schema: scanner.nullable(),
    default: null,
    description:
      "Scanner that must approve each new file: an `http(s)://` hook, or `clamd://host:port`; null for none",
    sessionOnly: true,
  },
  "files.image_presets": {
    schema: imagePresets,
    default: [
      { name: "thumbnail", width: 320, height: 320, fit: "inside", format: "webp", quality: 80 },
      { name: "preview", width: 1600, height: 1600, fit: "inside", format: "webp", quality: 82 },
    ],
    description: "Forms in which images can be requested",
  },
  "files.image_pixels_max": {
    schema: whole(1, 1_000_000_000),
    default: 50_000_000,
    description: "Maximum number of pixels of an image that is converted",
  },
  ...mcpDefinitions,
  "sql_console.allow_api_tokens": {
    schema: z.boolean(),
    default: false,
    description: "Whether the SQL console accepts tokens of the admin plane",
    sessionOnly: true,
  },
  "configuration.allow_sql": {
    schema: z.boolean(),
    default: false,
    description:
      "Whether tokens of the admin plane may apply files of SQL; as powerful as `sql_console.allow_api_tokens`",
    sessionOnly: true,
  },
  "sql_console.default_rows": {
    schema: whole(1, 1_000_000),
    default: 1000,
    description: "Number of rows of a result without `rowsMax`",
  },
  "sql_console.max_rows": {
    schema: whole(1, 1_000_000),
    default: 10_000,
    description: "The highest `rowsMax`",
  },
  "sql_console.max_bytes": {
    schema: whole(1024, 268_435_456),
    default: 8_388_608,
    description: "Maximum size in bytes of all values in the results of an SQL console run",
  },
  "sql_console.default_timeout_ms": {
    schema: whole(100, 3_600_000),
    default: 10_000,
    description: "Maximum duration of a run in milliseconds without `timeoutMs`",
  },
  "sql_console.max_timeout_ms": {
    schema: whole(100, 3_600_000),
    default: 60_000,
    description: "The highest `timeoutMs`",
  },
  "sql_console.max_runs": {
    schema: whole(0, 40),
    default: 4,
    description:
      "Maximum number of concurrent SQL console runs, over all processes; 0 disables the console",
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof settingDefinitions;

/** All settings with their values. */
export type Settings = {
  readonly [Key in SettingKey]: z.output<(typeof settingDefinitions)[Key]["schema"]>;
};

export function definitionOf(key: SettingKey): SettingDefinition {
  return settingDefinitions[key];
}

/** The keys, in the order of the table. */
export const settingKeys = Object.keys(settingDefinitions) as SettingKey[];
