import { DrizzleQueryError } from "drizzle-orm";
import { PgDialect, type PreparedQueryConfig } from "drizzle-orm/pg-core";
import { PgRemoteDatabase, PgRemoteSession, type PreparedQuery } from "drizzle-orm/pg-proxy";

/** Drizzle over the `system` schema. It writes statements; the pool or the transaction behind it executes them. */
export type Orm = PgRemoteDatabase;

/** Executes one statement and returns the values of each row in the order of its columns. */
export type RunValues = (text: string, parameters: (string | null)[]) => Promise<unknown[][]>;

const dialect = new PgDialect();

/**
 * Creates a Drizzle that sends its statements through `run`. Drizzle's own adapter of the driver bypasses the limits of
 * the pool, replaces parsers of the client, and parses JSON texts twice: the stored text `"1"` becomes a number.
 */
export function createOrm(run: RunValues): Orm {
  const session = new Session(
    async (text, parameters: readonly unknown[]) => ({
      rows: await run(text, parameters.map(toParameter)),
    }),
    dialect,
    undefined,
  );
  return new PgRemoteDatabase(dialect, session, undefined);
}

type Schema = Record<string, never>;

/** Throws the errors of the driver. Drizzle wraps them in an error that contains the parameters, and so secrets. */
class Session extends PgRemoteSession<Schema, Schema> {
  override prepareQuery<Config extends PreparedQueryConfig>(
    ...parts: Parameters<PgRemoteSession<Schema, Schema>["prepareQuery"]>
  ): PreparedQuery<Config> {
    const prepared = super.prepareQuery<Config>(...parts);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) =>
      execute(values).catch((error: unknown) => {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      });
    return prepared;
  }
}

function toParameter(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
    return String(value);
  }
  throw new TypeError("A parameter must be a text, a number, a boolean or null");
}
