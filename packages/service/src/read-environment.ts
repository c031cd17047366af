import { isServiceClosed, type Queryable } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { z } from "zod";

const missing = "is missing";

/** @param protocols each with its trailing colon */
const url = (...protocols: readonly string[]) =>
  z
    .string({ error: missing })
    .refine(
      (text) =>
        URL.canParse(text) &&
        protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`)),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    );
const databaseUrl = url("postgres:", "postgresql:");

const port = z
  .string()
  .regex(/^[0-9]{1,5}$/, "must be a port number")
  .transform(Number)
  .refine((number) => number <= 65_535, "must be at most 65535");

/** Variables that several apps share; each app takes those that it uses. */
export const environmentVariables = {
  port: (fallback: number) => port.default(fallback),
  /** The port of the metrics; if unset, metrics are not served. */
  metricsPort: port.optional(),
  /** The OpenTelemetry collector for traces (OTLP over HTTP); if unset, nothing is traced. */
  collector: url("http:", "https:").optional(),
  host: z.string().default("127.0.0.1"),
  url,
  databaseUrl,
  /** Beside DATABASE_URL, for a database with several logins or behind a pooler. */
  database: {
    /** Connects as the login that owns the schema `system`, if that is not the login that serves. */
    MIGRATIONS_DATABASE_URL: databaseUrl.optional(),
    /** Connects as the login that keeps the schema `system` and runs no code of the database's users. */
    SYSTEM_DATABASE_URL: databaseUrl.optional(),
    /** The server itself, if SYSTEM_DATABASE_URL is a pooler's. */
    SYSTEM_DATABASE_DIRECT_URL: databaseUrl.optional(),
    /** The server itself, if DATABASE_URL is a pooler's. */
    DATABASE_DIRECT_URL: databaseUrl.optional(),
    /** Whether statements are prepared; through a pooler only if set to `on`. */
    DATABASE_PREPARE: z.enum(["on", "off"], { error: "must be on or off" }).optional(),
    /** Whether a process starts if all processes together could exceed the server's connections. */
    DATABASE_BUDGET: z
      .enum(["warn", "enforce"], { error: "must be warn or enforce" })
      .default("warn"),
  },
  /** One or more comma-separated URLs, each without a path. */
  urls: (protocol: string) =>
    z
      .string({ error: missing })
      .transform(splitList)
      .refine(
        (urls) => urls.length > 0 && urls.every((url) => isOrigin(url, protocol)),
        `must be URLs that begin with ${protocol}// and have no path, separated by commas`,
      ),
  /**
   * Maximum number of database connections of a process. With fewer than six, requests that need two could deadlock.
   */
  databaseConnections: (fallback: number) =>
    z
      .string()
      .regex(/^(?:[6-9]|[1-9][0-9]{1,2})$/, "must be an integer from 6 to 999")
      .transform(Number)
      .default(fallback),
  /** How long a stopping process continues to serve while its `/readyz` is 503, in milliseconds. */
  drainMs: z
    .string()
    .regex(/^[0-9]{1,5}$/, "must be a number of milliseconds up to 60000")
    .transform(Number)
    .refine((milliseconds) => milliseconds <= 60_000, "must be at most 60000")
    .default(500),
  /** How long a start waits for a database that does not accept connections yet, in milliseconds. */
  databaseWaitMs: z
    .string()
    .regex(/^[0-9]{1,7}$/, "must be a number of milliseconds")
    .transform(Number)
    .default(60_000),
  /** The secret that gateway and services share; every process of an installation has the same. */
  secret: z.string({ error: missing }).min(32, "must have at least 32 characters"),
  /** Comma-separated secrets, several during rotation. */
  secretList: z
    .string()
    .transform(splitList)
    .refine(
      (secrets) => secrets.length > 0 && secrets.every((secret) => secret.length >= 32),
      "must be secrets of at least 32 characters, separated by commas",
    )
    .optional(),
  /** The login of the SQL console; if unset, the service creates one. */
  consoleUrl: databaseUrl.optional(),
  /** The public URL of the service; links in mails use it while `system.public_url` is not set. */
  publicUrl: url("http:", "https:").optional(),
  /** The mail server; if unset, mails are written to files. */
  smtpUrl: url("smtp:", "smtps:").optional(),
  mailFrom: z.string().default("Rowhouse <rowhouse@localhost>"),
  /** The folder of all local state. */
  /** The program that prints documents to PDF files. */
  chromium: {
    CHROMIUM_PATH: z.string().optional(),
    /** `off` where no user namespaces are available, or for root. */
    CHROMIUM_SANDBOX: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  },
  dataDirectory: z.string().default(".rowhouse"),
  logLevel: z
    .enum(["silent", "fatal", "error", "warn", "info", "debug"], {
      error: "must be silent, fatal, error, warn, info or debug",
    })
    .default("info"),
  /** Comma-separated values. */
  list: z.string().default("").transform(splitList),
} as const;

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function isOrigin(text: string, protocol: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === protocol && url.origin === text.replace(/\/$/, "").toLowerCase();
}

/**
 * Reads the environment at the start. An empty variable counts as unset.
 *
 * @throws StartError with one sentence that names every missing or invalid variable
 *
 * @example const config = readEnvironment(z.object({ PORT: environmentVariables.port(8080) }), process.env);
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(set);
  const problems = parsed.success
    ? portProblems(parsed.data as { readonly PORT?: unknown; readonly METRICS_PORT?: unknown })
    : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new StartError(`Invalid configuration: ${problems.join(", ")}.`);
}

/** With 0 the operating system chooses both. */
function portProblems(config: {
  readonly PORT?: unknown;
  readonly METRICS_PORT?: unknown;
}): string[] {
  const { PORT: port, METRICS_PORT: metricsPort } = config;
  return metricsPort !== undefined && metricsPort === port && port !== 0
    ? [`METRICS_PORT must differ from PORT, which is ${port}`]
    : [];
}

/** The secrets that decrypt stored values; the first one also encrypts (docs/security/cryptography.md). */
export function installationSecrets(config: {
  readonly ROWHOUSE_SECRET: string;
  readonly ROWHOUSE_OTHER_SECRETS?: readonly string[] | undefined;
}): readonly [string, ...string[]] {
  return [config.ROWHOUSE_SECRET, ...(config.ROWHOUSE_OTHER_SECRETS ?? [])];
}

/** The database configuration, in the terms of `packages/db`. */
export interface DatabasePlace {
  readonly url: string;
  readonly directUrl: string | undefined;
  readonly migrationsUrl: string | undefined;
  readonly systemUrl: string | undefined;
  readonly systemDirectUrl: string | undefined;
  readonly prepare: boolean;
}

/** Converts an app's database variables. */
export function databasePlace(config: {
  readonly DATABASE_URL: string;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly MIGRATIONS_DATABASE_URL?: string | undefined;
  readonly SYSTEM_DATABASE_URL?: string | undefined;
  readonly SYSTEM_DATABASE_DIRECT_URL?: string | undefined;
  readonly DATABASE_PREPARE?: "on" | "off" | undefined;
}): DatabasePlace {
  const { DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARE: prepare } = config;
  return {
    url: config.DATABASE_URL,
    directUrl,
    migrationsUrl: config.MIGRATIONS_DATABASE_URL,
    systemUrl: config.SYSTEM_DATABASE_URL,
    systemDirectUrl: config.SYSTEM_DATABASE_DIRECT_URL,
    prepare: prepare === undefined ? directUrl === undefined : prepare === "on",
  };
}

/** Returns the place under the login that keeps the schema `system`, which may be the only one. */
export function systemPlaceOf(place: DatabasePlace): Omit<DatabasePlace, "migrationsUrl"> {
  const { systemUrl, systemDirectUrl, prepare } = place;
  const own = systemUrl === undefined ? place : { url: systemUrl, directUrl: systemDirectUrl };
  const { url, directUrl } = own;
  return { url, directUrl, systemUrl: undefined, systemDirectUrl: undefined, prepare };
}

/**
 * Returns the URL of the server itself, past a pooler, under the login that owns the queue in PostgreSQL. Until the service's
 * login is closed that is the service's, because processes without another one use the same queue.
 */
export async function sessionUrlOf(place: DatabasePlace, database: Queryable): Promise<string> {
  const { url, directUrl } = (await isServiceClosed(database)) ? systemPlaceOf(place) : place;
  return directUrl ?? url;
}
