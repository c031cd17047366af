import postgres from "postgres";
import type { DatabaseOptions, Parameter, QueryOptions } from "./queryable.ts";
import type { StreamClientOptions } from "./row-stream.ts";
import { directSettings, reportedSettings } from "./session-settings.ts";

export const connectionsMaxDefault = 10;

/** Custom startup parameter; poolers reject or drop it. */
export const ownSessionSetting = "rowhouse.own_session";

/** Connections to the server itself, each a session for as long as it lives. */
export function connectDirectly(
  options: DatabaseOptions,
  own: Partial<StreamClientOptions> = {},
): postgres.Sql {
  return connect(options.directUrl ?? options.url, options, {
    ...own,
    connection: {
      application_name: options.applicationName,
      ...directSettings,
      statement_timeout: options.statementTimeoutMs ?? 10_000,
      idle_in_transaction_session_timeout: 60_000,
      // Only a session that belongs to this connection alone returns it.
      [ownSessionSetting]: "yes",
    },
  });
}

/**
 * The connections of a pool. A pooler that gives each transaction another session keeps of a start's parameters only
 * those that Postgres reports back; the others are the login's own (`connectDatabase` sees to it).
 */
export function connectPool(
  options: DatabaseOptions,
  own: { readonly max?: 1 } = {},
): postgres.Sql {
  if (options.directUrl === undefined) return connectDirectly(options, own);
  return connect(options.url, options, {
    ...own,
    // The driver keeps its own COMMIT prepared. On a session that does not know it, the transaction fails there, and is
    // then told to commit once more, which undoes it without a word.
    prepare: options.prepare !== false,
    connection: { application_name: options.applicationName, ...reportedSettings },
  });
}

/** Types of whose parameters the driver would make something of its own: a moment of every text, `false` of `"t"`. */
export const writtenTypes = [16, 17, 21, 23, 26, 114, 700, 701, 1082, 1114, 1184, 3802];

/** How each of them goes out, whatever the statement declares its parameters as. */
const asText: Record<string, postgres.PostgresType> = Object.fromEntries(
  writtenTypes.map((oid) => [
    oid,
    // Results are read as before: a type is read by this one only if it is named in `from`.
    { to: oid, from: [], serialize: textOf, parse: (text: string) => text },
  ]),
);

/** A parameter is a text already, but for the flags that Drizzle hands over. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  throw new TypeError("A parameter goes out as text");
}

function connect(
  url: string,
  options: DatabaseOptions,
  own: postgres.Options<Record<string, postgres.PostgresType>>,
): postgres.Sql {
  return postgres(url, {
    max: options.connectionsMax ?? connectionsMaxDefault,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 10_000) / 1000),
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    types: asText,
    onnotice: () => {},
    ...own,
  });
}

/** Runs one statement. */
export async function runStatement<Row extends object>(
  client: postgres.Sql | postgres.TransactionSql,
  text: string,
  parameters?: readonly Parameter[],
  options?: QueryOptions,
): Promise<Row[]> {
  return await sendStatement(client, text, parameters, options);
}

/** The driver's own promise, which sends the statement when it is awaited. */
export function sendStatement<Row extends object>(
  client: postgres.Sql | postgres.TransactionSql,
  text: string,
  parameters: readonly Parameter[] = [],
  options: QueryOptions = {},
): postgres.PendingQuery<Row[]> {
  return client.unsafe<Row[]>(text, parameters as Parameter[], {
    prepare: options.prepare ?? false,
    ...("options" in client && client.options.prepare === false ? followedByNothing : {}),
  });
}

/**
 * Has nothing sent behind a statement before its answer. Where nothing is prepared, the driver sends the first half of a
 * statement alone, to hear of its parameters. PgBouncer (as of 1.18) gives the session back with the answer to the one
 * before, and that half is never answered: https://github.com/pgbouncer/pgbouncer/issues/759
 */
const followedByNothing = { onexecute: () => false };

/** Runs one statement in a transaction that says how long its statements may take. */
export async function runWithin<Row extends object>(
  client: postgres.Sql,
  timeoutMs: number,
  text: string,
  parameters?: readonly Parameter[],
  options?: QueryOptions,
): Promise<Row[]> {
  const rows = await client.begin(async (tx) => {
    await limitStatements(tx, timeoutMs);
    return runStatement<Row>(tx, text, parameters, options);
  });
  return rows as Row[];
}

/** Sets how long each further statement of a transaction may take, in milliseconds. */
export async function limitStatements(
  transaction: postgres.TransactionSql,
  timeoutMs: number,
): Promise<void> {
  await transaction.unsafe(`set local statement_timeout = ${Math.round(timeoutMs)}`);
}
