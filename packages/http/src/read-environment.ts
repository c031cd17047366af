import { StartError } from "@rowhouse/errors";
import { z } from "zod";

const missing = "is missing";

/** @param protocols with the colon at their end */
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

/** What the apps' configurations have in common; each takes the variables that it uses. */
export const environmentVariables = {
  port: (fallback: number) => port.default(fallback),
  /** Where metrics are served; without it they are not. */
  metricsPort: port.optional(),
  /** The OpenTelemetry collector that traces go to (OTLP over HTTP); without it nothing is traced. */
  collector: url("http:", "https:").optional(),
  host: z.string().default("127.0.0.1"),
  url,
  databaseUrl,
  /** Beside DATABASE_URL, where the database has several logins, or a pooler before it. */
  database: {
    /** As the login that owns the schema `system`, where that is another than the one that serves. */
    MIGRATIONS_DATABASE_URL: databaseUrl.optional(),
    /** The server itself, where DATABASE_URL is a pooler's. */
    DATABASE_DIRECT_URL: databaseUrl.optional(),
    /** Whether statements are kept prepared; through a pooler only where it is told to. */
    DATABASE_PREPARE: z.enum(["on", "off"], { error: "must be on or off" }).optional(),
    /** Whether a process starts that could open more connections, with all others, than the server gives out. */
    DATABASE_BUDGET: z
      .enum(["warn", "enforce"], { error: "must be warn or enforce" })
      .default("warn"),
  },
  /** One or more URLs with commas between them, each without a path. */
  urls: (protocol: string) =>
    z
      .string({ error: missing })
      .transform(splitList)
      .refine(
        (urls) => urls.length > 0 && urls.every((url) => isOrigin(url, protocol)),
        `must be URLs that begin with ${protocol}// and have no path, with commas between them`,
      ),
  /** Connections of a process to the database, at most. With fewer than six, requests that need two could wait for one another. */
  databaseConnections: (fallback: number) =>
    z
      .string()
      .regex(/^(?:[6-9]|[1-9][0-9]{1,2})$/, "must be a whole number from 6 to 999")
      .transform(Number)
      .default(fallback),
  /** How long a process that was told to stop goes on answering while its `/readyz` is 503, in milliseconds. */
  drainMs: z
    .string()
    .regex(/^[0-9]{1,5}$/, "must be a number of milliseconds up to 60000")
    .transform(Number)
    .refine((milliseconds) => milliseconds <= 60_000, "must be at most 60000")
    .default(500),
  /** How long a start waits for a database that does not answer yet, in milliseconds. */
  databaseWaitMs: z
    .string()
    .regex(/^[0-9]{1,7}$/, "must be a number of milliseconds")
    .transform(Number)
    .default(60_000),
  /** The secret that gateway and services share; every process of a set-up gets the same. */
  secret: z.string({ error: missing }).min(32, "must have at least 32 characters"),
  /** Several such secrets with commas between them, while one replaces another. */
  secretList: z
    .string()
    .transform(splitList)
    .refine(
      (secrets) => secrets.length > 0 && secrets.every((secret) => secret.length >= 32),
      "must be secrets of at least 32 characters with commas between them",
    )
    .optional(),
  /** The login of the SQL console; without it the service makes one. */
  consoleUrl: databaseUrl.optional(),
  /** Where the service is reached from outside; mails are built from it while `system.public_url` is not set. */
  publicUrl: url("http:", "https:").optional(),
  /** Where mails go; without it they are written to files. */
  smtpUrl: url("smtp:", "smtps:").optional(),
  /** The sender of mails. */
  mailFrom: z.string().default("Rowhouse <rowhouse@localhost>"),
  /** Where everything that is kept on this machine lives. */
  dataDirectory: z.string().default(".rowhouse"),
  logLevel: z
    .enum(["silent", "fatal", "error", "warn", "info", "debug"], {
      error: "must be silent, fatal, error, warn, info or debug",
    })
    .default("info"),
  /** Several values with commas between them. */
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
 * Reads the environment once, at the start. A variable that is set to nothing counts as not set.
 *
 * @throws StartError with one sentence that names every variable that is missing or bad
 *
 * @example
 * const config = readEnvironment(z.object({ PORT: environmentVariables.port(8080) }), process.env);
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
  throw new StartError(`The environment is not right: ${problems.join(", ")}.`);
}

/** With 0 the system chooses each of the two. */
function portProblems(config: {
  readonly PORT?: unknown;
  readonly METRICS_PORT?: unknown;
}): string[] {
  const { PORT: port, METRICS_PORT: metricsPort } = config;
  return metricsPort !== undefined && metricsPort === port && port !== 0
    ? [`METRICS_PORT must differ from PORT, which is ${port}`]
    : [];
}

/** What opens that which is sealed: the first one seals as well (docs/security/cryptography.md). */
export function installationSecrets(config: {
  readonly ROWHOUSE_SECRET: string;
  readonly ROWHOUSE_OTHER_SECRETS?: readonly string[] | undefined;
}): readonly [string, ...string[]] {
  return [config.ROWHOUSE_SECRET, ...(config.ROWHOUSE_OTHER_SECRETS ?? [])];
}

/** Where a process finds its database, in the words of `packages/db`. */
export interface DatabasePlace {
  readonly url: string;
  readonly directUrl: string | undefined;
  readonly migrationsUrl: string | undefined;
  readonly prepare: boolean;
}

/** The variables of the database that an app has read. */
export function databasePlace(config: {
  readonly DATABASE_URL: string;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly MIGRATIONS_DATABASE_URL?: string | undefined;
  readonly DATABASE_PREPARE?: "on" | "off" | undefined;
}): DatabasePlace {
  const { DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARE: prepare } = config;
  return {
    url: config.DATABASE_URL,
    directUrl,
    migrationsUrl: config.MIGRATIONS_DATABASE_URL,
    prepare: prepare === undefined ? directUrl === undefined : prepare === "on",
  };
}
