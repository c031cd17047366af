import { createError } from "@rowhouse/errors";
import postgres from "postgres";
import { writtenTypes } from "./client.ts";
import type { TextRow } from "./row-stream.ts";
import { directSettings } from "./session-settings.ts";
import { type Endpoints, StreamSocket } from "./stream-socket.ts";

export interface SqlSessionOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly connectTimeoutMs: number;
  /** What Postgres sends of one statement at most, in bytes; more than that ends the connection. */
  readonly statementBytesMax: number;
  /** What the session begins with; its statements may change it. */
  readonly statementTimeoutMs: number;
  readonly onNotice: (notice: SqlNotice) => void;
}

/** What a statement says beside its result (`RAISE NOTICE`, a warning). */
export interface SqlNotice {
  readonly severity: string;
  readonly message: string;
}

/** A column of a result. */
export interface SqlColumn {
  readonly name: string;
  readonly typeOid: string;
}

export interface SqlOutcome {
  readonly columns: readonly SqlColumn[];
  /** Rows that a statement without columns changed, where it counts any. */
  readonly affected: number | null;
}

/** One connection for statements of any kind, whose rows come as Postgres writes them. */
export interface SqlSession {
  /** Runs a statement of the service's own, whose columns are all text. */
  query<Row extends object>(text: string, parameters?: readonly (string | null)[]): Promise<Row[]>;
  /**
   * Runs exactly one statement; Postgres refuses a text of several.
   *
   * @param take gets each row, and gives false for the first one that is too many: the statement ends there
   * @throws the driver's error; BODY_TOO_LARGE where Postgres sends more than `statementBytesMax`
   */
  execute(
    text: string,
    parameters: readonly (string | null)[],
    take: (row: TextRow) => boolean,
  ): Promise<SqlOutcome>;
  /** Ends the connection, whatever it is doing. */
  close(): Promise<void>;
}

/** Rows that Postgres sends before it is asked for more. */
const batchRows = 20;

/**
 * Opens a session. It has one connection and never another: a driver that connected anew in the middle would run the rest
 * of a transaction without it.
 *
 * Rows come through a portal, a few at a time, so that a statement whose rows are too many can be left without an error
 * that would undo the transaction. `DECLARE CURSOR` takes fewer kinds of statement.
 */
export function openSqlSession(options: SqlSessionOptions): SqlSession {
  const socket = new StreamSocket(options.connectTimeoutMs, () => {});
  let opened = false;
  const own = {
    socket: async (endpoints: Endpoints) => {
      if (opened) throw createError("SERVICE_UNAVAILABLE");
      opened = true;
      return socket.open(endpoints);
    },
  };
  const asWritten = (text: unknown) => text;
  const client = postgres(options.url, {
    ...own,
    max: 1,
    connect_timeout: Math.ceil(options.connectTimeoutMs / 1000),
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    types: { text: { to: 25, from: writtenTypes, serialize: asWritten, parse: asWritten } },
    onnotice: (notice) => {
      options.onNotice({
        severity: notice.severity ?? "NOTICE",
        message: notice.message ?? "",
      });
    },
    connection: {
      application_name: options.applicationName,
      ...directSettings,
      client_min_messages: "notice",
      statement_timeout: options.statementTimeoutMs,
    },
  });
  return {
    query: async <Row extends object>(
      text: string,
      parameters: readonly (string | null)[] = [],
    ): Promise<Row[]> =>
      await client.unsafe<Row[]>(text, parameters as (string | null)[], { prepare: false }),
    execute: async (text, parameters, take) => {
      socket.allow(options.statementBytesMax, () =>
        createError("BODY_TOO_LARGE", { message: "A row of the result is too large" }),
      );
      let enough = false;
      // Later batches come without a description of their columns.
      let described: Columns | undefined;
      const statement = client.unsafe(text, parameters as (string | null)[], { prepare: false });
      statement.raw();
      const ended = statement.cursor(batchRows, () => (enough ? client.CLOSE : undefined));
      // The driver calls this one for each row, and the one above for each batch.
      void statement.forEach((row, { columns }) => {
        described ??= columns as Columns | undefined;
        if (!enough) enough = !take(toTextRow(row as unknown as (Buffer | null)[]));
      });
      const result = await ended;
      socket.allow(Number.POSITIVE_INFINITY, () => createError("INTERNAL_ERROR"));
      const columns = described ?? (result.columns as Columns | undefined) ?? [];
      return {
        columns: columns.map(({ name, type }) => ({ name, typeOid: String(type) })),
        affected: columns.length > 0 ? null : (result.count ?? null),
      };
    },
    close: async () => {
      await client.end({ timeout: 0.2 }).catch(() => undefined);
      socket.close();
    },
  };
}

type Columns = readonly { readonly name: string; readonly type: number }[];

function toTextRow(row: readonly (Buffer | null)[]): TextRow {
  return row.map((value) => value?.toString("utf8") ?? null);
}
