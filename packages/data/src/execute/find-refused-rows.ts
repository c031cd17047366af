import {
  type Database,
  type Parameter,
  type Queryable,
  readPostgresFailure,
  toAppError,
  UserSemaphore,
} from "@rowhouse/db";
import { type ErrorCode, type Fault, faultsMax } from "@rowhouse/errors";
import { writeExactJson } from "@rowhouse/json";
import type { AuthorizedPlan } from "../authorize/authorize-plan.ts";
import type { Statement } from "../compile/statement.ts";
import type { CreateRequest, DataRequest } from "../parse/request.ts";
import { faultOfRow } from "./name-violation.ts";

/** What is needed to run a create again, for some of its rows. */
export interface RefusedCreate {
  readonly statement: Statement;
  readonly plan: AuthorizedPlan;
  readonly request: CreateRequest;
  readonly bind: (request: DataRequest) => Parameter[];
  readonly userId: string;
  readonly database: Database;
}

/** Errors whose reason is one row. */
const ofRow: ReadonlySet<ErrorCode> = new Set([
  "VALUE_INVALID",
  "REQUIRED_FIELD",
  "CHECK_VIOLATION",
  "UNIQUE_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
  "CONFLICT",
  "ACTION_DENIED",
]);

/** Whether single rows can be the reason for the error of a list. */
export function isOfRow(error: unknown): boolean {
  return ofRow.has(toAppError(error).code);
}

/** Each search holds a connection, and the locks of the rows that it tries. */
const searches = new UserSemaphore({ permits: 2, perUser: 1, waitingMax: 20, waitMs: 5_000 });

/** Undoes the transaction in which rows were tried. */
const undone = new Error("The rows were only tried");

/**
 * The rows for which Postgres refuses a list, each with the reason of its own; 20 at most. In one transaction that is
 * undone, the rows are written as the request would have them, all at once and then halves of what fails, so that the
 * number of statements grows with the faults and not with the rows. A row that repeats a key of an earlier one is a fault
 * of the later row.
 *
 * @param positions the rows to try
 * @returns none where they are not to be found: the reason has gone meanwhile, or lies in no single row
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
          faults.push(faultOfRow(failure, create.plan, create.request, position));
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

/** Whether Postgres found two rows of one merge with the same key. */
export function isRepeatedKey(error: unknown): boolean {
  return readPostgresFailure(error)?.code === "21000";
}

/** The rows of a merge that have the key of an earlier one, as far as their texts tell. */
export function repeatedKeys({ rows, conflict }: CreateRequest): number[] {
  const seen = new Set<string>();
  return rows.flatMap((row, position) => {
    const key = writeExactJson(conflict?.fields.map((field) => row.get(field) ?? null));
    if (seen.has(key)) return [position];
    seen.add(key);
    return [];
  });
}

/** Whether a row by itself fails only for another row of the list, which its foreign key leads to. */
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
