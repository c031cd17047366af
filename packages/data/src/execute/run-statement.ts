import {
  type Database,
  type Parameter,
  type Queryable,
  type QueryOptions,
  readPostgresFailure,
  requireAgainSql,
  type TransactionOptions,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { isReadRequest } from "../authorize/authorize-plan.ts";
import type { Statement } from "../compile/statement.ts";
import type { WriteRequest } from "../parse/request.ts";
import { type BindingContext, bindParameters } from "./bind-parameters.ts";
import { checkOf, requireSound, type WrittenCheck } from "./check-written.ts";
import { smallAnswerBytes } from "./process-bounds.ts";
import type { SharedStatements } from "./shared-statements.ts";
import type { CompiledRequest } from "./statement-cache.ts";

/** SQLSTATE `read_only_sql_transaction`. */
const readOnlyState = "25006";

/** The single result row of a compiled statement. */
export interface AnswerRow {
  readonly data: string | null;
  /** The size of the data in bytes, present even if the statement withholds the data because it exceeds the limit. */
  readonly size?: string | null;
  /** The to-many relations that have more rows than the response includes. */
  readonly more?: readonly string[];
  readonly count?: string | null;
  /** The order keys of a list's last row as a JSON array, if more rows may follow. */
  readonly next?: string | null;
  /** The entity tags of a list as a JSON array, null for no row; missing unless the request prefers them. */
  readonly etags?: string | null;
  /** The row's entity tag, if `data` has only a part of the row. */
  readonly tag?: string | null;
  /** "true" if the row to change has a different entity tag. */
  readonly stale?: string | null;
  /** The number of rows that a bulk write matched, counted up to one above `max_affected`. */
  readonly affected?: string | null;
  /** The field whose document does not take its change. */
  readonly unfit?: string | null;
}

/** The row of a statement: proof and version of the moment, and the data if both match the compiled ones. */
export interface StatementRow extends AnswerRow {
  readonly proof: string;
  readonly version: string | null;
}

/** A compiled request with its parameters. */
export interface BoundStatement {
  readonly compiled: CompiledRequest;
  readonly context: BindingContext;
  readonly parameters: Parameter[];
  /** Bytes of this response at most. */
  readonly bytesMax: number;
  /** Milliseconds that the earlier attempts of the request left for this one; undefined while nearly all is left. */
  readonly leftMs: number | undefined;
}

/** Where a statement runs. */
export interface StatementPlace {
  readonly dependencies: {
    readonly database: Database;
    readonly shared: SharedStatements<StatementRow>;
    readonly checks?: readonly WrittenCheck[] | undefined;
  };
  /** The transaction of someone else; undefined if the statement is its own. */
  readonly on: Queryable | undefined;
  /** Ends a read whose caller has left. */
  readonly isAbandoned: (() => boolean) | undefined;
}

/**
 * Runs a bound statement with those that belong to it: the estimate of a count before it, the rows of a write after it. A
 * short read may share the statement of others.
 */
export function runBoundStatement(
  place: StatementPlace,
  bound: BoundStatement,
): Promise<StatementRow> {
  return bound.compiled.runsCode && isReadRequest(bound.context.request)
    ? runAt(place, bound).catch((error: unknown) => {
        throw refusedWrite(error);
      })
    : runAt(place, bound);
}

function runAt(
  { dependencies, on, isAbandoned }: StatementPlace,
  bound: BoundStatement,
): Promise<StatementRow> {
  const { compiled, context, parameters, leftMs } = bound;
  const { estimate, statement, uses, runsCode } = compiled;
  const { userId } = context.principal;
  const { database } = dependencies;
  const readOnly = isReadRequest(context.request);
  if (leftMs !== undefined && on === undefined) {
    const work = async (transaction: Queryable) => {
      await limitStatements(transaction, leftMs);
      const again = { ...bound, leftMs: undefined };
      return runAt({ dependencies, on: transaction, isAbandoned }, again);
    };
    return inTransaction(database, userId, work, { readOnly, runsCode });
  }
  const check = checkOf(dependencies.checks, context.request, compiled.plan.relation);
  if (compiled.again !== null || check !== undefined) {
    const work = async (transaction: Queryable) => {
      const row = await writeAndReadAgain(bound, transaction);
      await requireSound(check, context.request, transaction);
      return row;
    };
    return on === undefined ? inTransaction(database, userId, work) : work(on);
  }
  const lane = compiled.lane === null ? undefined : `${compiled.lane} ${userId}`;
  const queryable = on ?? database;
  // A shape that occurs once is not worth a prepared statement on every connection.
  const options = { prepare: uses > 1, userId, isAbandoned, lane, readOnly, runsCode };
  const run = (isCharged = false): Promise<StatementRow> =>
    queryable
      .query<StatementRow>(
        statement.text,
        parameters,
        isCharged ? { ...options, isCharged } : options,
      )
      .then(onlyRow);
  if (estimate === null) {
    const isShared = on === undefined && uses > 1 && mayShare(bound);
    const read = { compiled, parameters, userId, isAbandoned };
    return (isShared ? dependencies.shared.join(read, run) : undefined) ?? run();
  }
  const estimating = { userId, readOnly, runsCode };
  return estimateRows(queryable, estimate, bindParameters(estimate, context), estimating).then(
    async (estimated) => {
      const row = await run();
      return { ...row, count: row.count ?? estimated };
    },
  );
}

/** A new limit costs a statement, so a limit stays until this part of its time has passed. */
export const passedMin = 0.1;

/** Limits the later statements of a transaction, in milliseconds. */
export async function limitStatements(transaction: Queryable, leftMs: number): Promise<void> {
  const text = "select pg_catalog.set_config('statement_timeout', $1::text, true)";
  await transaction.query(text, [String(leftMs)], { prepare: true });
}

/** Returns CONFLICT for code of the database that writes during a read, else the error itself. */
export function refusedWrite(error: unknown): unknown {
  if (readPostgresFailure(error)?.code !== readOnlyState) return error;
  const message = "The request writes, such as by a function of a view, and a read must not write";
  return createError("CONFLICT", { message, cause: error });
}

/** Runs the statements of one attempt; one of them has an effect only if the rights are proven. */
async function inTransaction(
  database: Database,
  userId: string,
  work: (transaction: Queryable) => Promise<StatementRow>,
  options?: TransactionOptions,
): Promise<StatementRow> {
  const permit = await database.charge(userId);
  try {
    return await database.transaction(work, options);
  } finally {
    permit?.();
  }
}

async function writeAndReadAgain(
  { compiled, context, parameters }: BoundStatement,
  on: Queryable,
): Promise<StatementRow> {
  const { statement, uses } = compiled;
  await on.query(ownNamesSql);
  const row = onlyRow(
    await on.query<StatementRow>(statement.text, parameters, { prepare: uses > 1 }),
  );
  const { request } = context;
  if (compiled.again === null || row.data === null) return row;
  if (request.kind !== "CREATE" && request.kind !== "UPDATE") return row;
  // Deferred triggers change rows as well.
  await on.query(`set constraints all immediate; ${afterCodeSql}`);
  return { ...row, data: await readAgain(compiled, request, row.data, context, on) };
}

/** Whether the settings permit shared statements, and the response is a small one. */
function mayShare({ context, bytesMax }: BoundStatement): boolean {
  return bytesMax <= smallAnswerBytes && settingsOf(context.snapshot)["data.share_statements"];
}

function onlyRow([row]: readonly StatementRow[]): StatementRow {
  if (row === undefined) throw createError("INTERNAL_ERROR");
  return row;
}

/** Returns the number of rows that PostgreSQL expects of a statement, as text; null if the plan contains none. */
async function estimateRows(
  queryable: Queryable,
  { text }: Statement,
  parameters: readonly Parameter[],
  options: QueryOptions,
): Promise<string | null> {
  const [row] = await queryable.query<{ "QUERY PLAN": unknown }>(text, parameters, options);
  const result = row?.["QUERY PLAN"];
  const plans = typeof result === "string" ? (JSON.parse(result) as unknown) : result;
  const rows = (plans as { Plan?: { "Plan Rows"?: unknown } }[] | undefined)?.[0]?.Plan?.[
    "Plan Rows"
  ];
  return typeof rows === "number" ? String(Math.round(rows)) : null;
}

/**
 * Begins a transaction in which code of the database's users runs before a statement of the service: PostgreSQL looks up
 * names in the temporary schema last, so that a temporary table `text` is no type of that statement.
 */
export const ownNamesSql = `select pg_catalog.set_config('search_path',
  pg_catalog.concat_ws(', ', nullif(pg_catalog.current_setting('search_path'), ''), 'pg_temp'), true)`;

/** Follows a statement that ran such code, in the same transaction: no setting that it left concerns the next one. */
export const afterCodeSql = `${requireAgainSql}; ${ownNamesSql}`;

/**
 * Replaces the keys in the data of a write by the rows as they are now, after code of the database has changed them.
 *
 * @param compiled the write
 * @param on the transaction of the write
 */
export async function readAgain(
  { again, uses }: Pick<CompiledRequest, "again" | "uses">,
  request: WriteRequest,
  keys: string,
  context: BindingContext,
  on: Queryable,
): Promise<string> {
  const { written, rebuild } = writtenRows(request, keys);
  if (again === null || written.length === 0) return keys;
  const parameters = bindParameters(again, { ...context, written });
  const options = { prepare: uses > 1 };
  const [row] = await on.query<{ data: string }>(again.text, parameters, options);
  const rows = JSON.parse(row?.data ?? "[]") as string[];
  return rebuild((index) => rows[index] ?? "{}");
}

/** The keys in the data of a write, and the same data with other texts in their places. */
function writtenRows(
  request: WriteRequest,
  data: string,
): {
  readonly written: readonly (readonly string[])[];
  readonly rebuild: (rowAt: (index: number) => string) => string;
} {
  if (request.kind === "CREATE" && request.isList) {
    const groups = (JSON.parse(data) as string[]).map((lines) =>
      lines === "" ? [] : lines.split("\n"),
    );
    return {
      written: groups.flat().map((line) => JSON.parse(line) as string[]),
      rebuild: (rowAt) => {
        let index = 0;
        const next = () => rowAt(index++).replaceAll("\n", " ");
        return JSON.stringify(groups.map((lines) => lines.map(next).join("\n")));
      },
    };
  }
  if (request.kind === "UPDATE" && request.selection.by === "FILTER") {
    const written = JSON.parse(data) as string[][];
    return {
      written,
      rebuild: (rowAt) => `[${written.map((_, index) => rowAt(index)).join(",")}]`,
    };
  }
  return { written: [JSON.parse(data) as string[]], rebuild: (rowAt) => rowAt(0) };
}
