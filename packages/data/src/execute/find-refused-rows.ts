import {
  busy,
  type Database,
  isOfExpression,
  type Parameter,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { type ErrorCode, type Fault, faultsMax } from "@rowhouse/errors";
import { UserSemaphore } from "@rowhouse/limits";
import { writeExactJson } from "@rowhouse/wire";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { Statement } from "../compile/statement.ts";
import type { CreateRequest, DataRequest } from "../parse/request.ts";
import { faultOfRow } from "./name-violation.ts";

/** The data for a repetition of a create with some of its rows. */
export interface RefusedCreate {
  readonly statement: Statement;
  readonly plan: AuthorizedPlan;
  readonly request: CreateRequest;
  readonly bind: (request: DataRequest) => Parameter[];
  readonly userId: string;
  readonly database: Database;
}

/** Errors caused by a single row. */
const ofRow: ReadonlySet<ErrorCode> = new Set([
  "VALUE_INVALID",
  "REQUIRED_FIELD",
  "CHECK_VIOLATION",
  "UNIQUE_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
  "CONFLICT",
  "ACTION_DENIED",
]);

/** Whether a single row can cause the error of a list. */
export function isOfRow(error: unknown): boolean {
  const { code } = toAppError(error);
  if (code !== "INTERNAL_ERROR") return ofRow.has(code);
  // An expression of a check or a default fails for some rows; a write that is not supported fails for every row.
  const failure = readPostgresFailure(error);
  return failure !== undefined && isOfExpression(failure) && !/^(?:0A|55)/.test(failure.code);
}

/** Limits the concurrent searches: each holds a connection and the locks of the rows that it tries. */
const searches = new UserSemaphore({ permits: 2, perUser: 1, waitingMax: 20, waitMs: 5_000, busy });

/** Rolls back the transaction of a trial. */
const undone = new Error("The rows were only tried");

/**
 * Returns the rows for which PostgreSQL rejects a list, each with its own reason; 20 at most. In one transaction that
 * is rolled back, it writes the rows as the request would, first all and then halves of each failed set, so the number
 * of statements grows with the errors and not with the rows. If two rows have the same key, the later one is reported.
 *
 * @param positions the rows to try
 * @returns none if no row can be identified: the cause has disappeared, or no single row causes the error
 */
export async function findRefusedRows(
  create: RefusedCreate,
  positions: readonly number[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const search = (): Promise<void> =>
    create.database.transaction(async (transaction) => {
      const attempt = async (some: readonly number[]): Promise<void> => {
        if (some.length === 0 || faults.length >= faultsMax) return;
        let failure: unknown;
        try {
          await transaction.savepoint((part) => tryRows(create, some, part));
          return;
        } catch (error) {
          failure = error;
        }
        const [position = 0] = some;
        if (some.length > 1) {
          if (!isOfRow(failure) && !isRepeatedKey(failure)) throw failure;
          const middle = some.length >> 1;
          await attempt(some.slice(0, middle));
          await attempt(some.slice(middle));
        } else if (!isOfRow(failure)) {
          throw failure;
        } else if (!leadsToOtherRow(failure, create, position)) {
          const row = {
            path: `/data/${position}`,
            isSent: (column: string) => create.request.rows[position]?.has(column) === true,
          };
          const { fault } = await faultOfRow(failure, create.plan, row, transaction);
          faults.push(fault);
        }
      };
      await transaction.query("set constraints all immediate");
      await attempt(positions);
      throw undone;
    });
  try {
    await searches.within(create.userId, search);
  } catch (error) {
    if (error !== undone) return [];
  }
  return faults;
}

async function tryRows(
  { statement, request, bind }: RefusedCreate,
  positions: readonly number[],
  transaction: Queryable,
): Promise<void> {
  const chosen = new Set(positions);
  const groups = request.groups.map((group) => ({
    ...group,
    positions: group.positions.filter((position) => chosen.has(position)),
  }));
  await transaction.query(statement.text, bind({ ...request, groups }), { prepare: true });
}

/** Whether PostgreSQL found two rows of one merge with the same key. */
export function isRepeatedKey(error: unknown): boolean {
  const failure = readPostgresFailure(error);
  return failure?.code === "21000" && failure.routine === "ExecOnConflictUpdate";
}

/** Returns the rows of a merge whose key equals that of an earlier row, by comparison of their texts. */
export function repeatedKeys({ rows, conflict }: CreateRequest): number[] {
  const seen = new Set<string>();
  return rows.flatMap((row, position) => {
    const key = writeExactJson(conflict?.fields.map((field) => row.get(field) ?? null));
    if (seen.has(key)) return [position];
    seen.add(key);
    return [];
  });
}

/** Whether a row fails alone only because its foreign key refers to another row of the list. */
function leadsToOtherRow(
  error: unknown,
  { plan: { relation }, request: { rows } }: RefusedCreate,
  position: number,
): boolean {
  const constraint = readPostgresFailure(error)?.constraint;
  const key = relation.foreignKeys.find(({ name }) => name === constraint);
  const own = rows[position];
  if (key === undefined || own === undefined || key.targetOid !== relation.oid) return false;
  const wanted = writeExactJson(key.columns.map((name) => own.get(name) ?? null));
  return rows.some(
    (row) => writeExactJson(key.targetColumns.map((name) => row.get(name) ?? null)) === wanted,
  );
}
