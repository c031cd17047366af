import { createError } from "@rowhouse/errors";
import postgres from "#postgres";
import { writtenTypes } from "./client.ts";
import type { TextRow } from "./row-stream.ts";
import { directSettings } from "./session-settings.ts";
import { type Endpoints, StreamSocket } from "./stream-socket.ts";

export interface SqlSessionOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly connectTimeoutMs: number;
  /** Maximum of bytes that PostgreSQL may send for one statement; more ends the connection. */
  readonly statementBytesMax: number;
  /** Initial settings of the session; its statements may change them. */
  readonly statementTimeoutMs: number;
  /** The search path instead of the database's own. */
  readonly searchPath?: string | undefined;
  readonly onNotice: (notice: SqlNotice) => void;
}

/** A message that a statement sends besides its result (`RAISE NOTICE`, a warning). */
export interface SqlNotice {
  readonly severity: string;
  readonly message: string;
}

export interface SqlColumn {
  readonly name: string;
  readonly typeOid: string;
}

export interface SqlOutcome {
  readonly columns: readonly SqlColumn[];
  /** Rows that a statement without columns changed; undefined if it counts none. */
  readonly affected: number | null;
}

/** One connection for statements of any kind. It returns rows in PostgreSQL's text form. */
export interface SqlSession {
  /** Runs a statement of the service itself, whose columns are all text. */
  query<Row extends object>(text: string, parameters?: readonly (string | null)[]): Promise<Row[]>;
  /**
   * Runs exactly one statement; PostgreSQL rejects a text with several.
   *
   * @param take receives each row; it returns false for the first row beyond the limit, and the statement ends there
   * @throws the driver's error; BODY_TOO_LARGE if PostgreSQL sends more than `statementBytesMax`
   */
  execute(
    text: string,
    parameters: readonly (string | null)[],
    take: (row: TextRow) => boolean,
  ): Promise<SqlOutcome>;
  /** Ends the connection, even during a statement. */
  close(): Promise<void>;
}

/** Rows in each batch that PostgreSQL sends. */
const batchRows = 20;

/**
 * Opens a session with one connection and never reconnects: a driver that reconnected in the middle would run the rest
 * of a transaction outside it.
 *
 * Rows arrive through a portal in small batches, so that a statement with too many rows can be closed without an error
 * that would roll back the transaction. `DECLARE CURSOR` supports fewer kinds of statement.
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
      ...(options.searchPath !== undefined && { search_path: options.searchPath }),
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
      // Only the first batch includes a description of the columns.
      let described: Columns | undefined;
      const statement = client.unsafe(text, parameters as (string | null)[], { prepare: false });
      statement.raw();
      const ended = statement.cursor(batchRows, () => (enough ? client.CLOSE : undefined));
      // The driver calls this function for each row, and the one above for each batch.
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
