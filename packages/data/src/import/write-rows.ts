import {
  authenticationRequired,
  type Caller,
  callerKindOf,
  isCredentialGood,
  standingOf,
} from "@rowhouse/access";
import { type Column, proofOf, type Queryable, type StagingTransaction } from "@rowhouse/db";
import { AppError, createError, type ErrorCode, type Fault } from "@rowhouse/errors";
import type { FileDependencies } from "../answer/engine-dependencies.ts";
import { type ProofOutcome, proveAndRepeat, type Rights } from "../answer/prove-and-repeat.ts";
import { requireOwnTables } from "../answer/request-place.ts";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import type { AuthorizedCreate } from "../authorize/authorized-plan.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { checkOf, requireSound } from "../execute/check-written.ts";
import {
  codesOf,
  explainFailure,
  failedStatement,
  recordRefusedChange,
} from "../execute/explain-failure.ts";
import { isOfRow, isRepeatedKey } from "../execute/find-refused-rows.ts";
import { planRequest } from "../plan/plan-request.ts";
import { compileImport, stagingTable } from "./compile-import.ts";
import { findRefusedRecords, partOfRecords, type StagedImport } from "./find-refused-records.ts";
import { createOfImport, type ImportRequest } from "./import-request.ts";
import { type FaultyTitles, resolveTitles } from "./named-references.ts";
import type { RowFaults } from "./row-faults.ts";
import type { StagedFile } from "./staged-rows.ts";

/** Numbers of rows of an import. */
export interface RowCounts {
  readonly inserted: number;
  readonly updated: number;
  /** Rows that were left out because their key exists (`resolution=ignore`). */
  readonly skipped: number;
}

export interface WriteDependencies extends FileDependencies {
  /** Whether another login than that of users' tables writes the rows. */
  readonly isOfSystem: boolean;
}

/** An import whose rows are staged. */
export interface WriteInput {
  readonly request: ImportRequest;
  readonly rows: StagedFile;
  /** The faults that were found before the rows were staged. */
  readonly faults: RowFaults;
}

interface WriteRow {
  readonly proof: string;
  readonly version: string | null;
  readonly inserted: string;
  readonly updated: string;
  readonly staged: string;
}

/** Rolls a savepoint back. */
const undone = new Error("The rows were only tried");

/**
 * Creates the staged rows by one statement under the rights of this moment.
 *
 * @throws AppError with the faults of the file, which are complete only if every row was tried
 */
export function writeRows(
  dependencies: WriteDependencies,
  input: WriteInput,
  caller: Caller,
  transaction: StagingTransaction,
): Promise<RowCounts> {
  return proveAndRepeat(dependencies, { caller }, (rights) =>
    attempt(dependencies, input, caller, transaction, rights),
  );
}

/**
 * Proves that the caller may create the staged rows at this moment, without creating them.
 *
 * @throws AppError as `writeRows` before its statement
 */
export function requireRights(
  dependencies: FileDependencies,
  { request, rows, faults }: WriteInput,
  caller: Caller,
  on: Queryable,
): Promise<void> {
  return proveAndRepeat(dependencies, { caller, on }, async (rights) => {
    authorizeImport(request, rows.fieldSets, rights, caller);
    // A field that the caller may no longer set.
    const refusal = faults.toError();
    if (refusal !== undefined) throw refusal;
    return { kind: "UNPROVEN", value: undefined };
  });
}

async function attempt(
  { database, checks, isOfSystem, titleFor }: WriteDependencies,
  { request, rows, faults }: WriteInput,
  caller: Caller,
  transaction: StagingTransaction,
  rights: Rights,
): Promise<ProofOutcome<RowCounts>> {
  const { snapshot, principal } = rights;
  const { columns } = rows;
  const plan = authorizeImport(request, rows.fieldSets, rights, caller);
  const create = createOfImport(request, rows.fieldSets);
  const context = { request: create, snapshot, principal, caller };
  const kind = callerKindOf(caller);
  // On a connection of its own, because the transaction of the import is rolled back.
  const record = (codes: readonly ErrorCode[]) =>
    recordRefusedChange(database, plan, create, principal, caller, codes);
  const search = async (cause?: unknown): Promise<AppError | undefined> => {
    const statement = compileImport(plan, rows, snapshot, kind, partOfRecords);
    const parameters = bindParameters(statement, context);
    const staged = { plan, request: create, columns, statement, parameters };
    await searchRows(transaction, staged, faults);
    const found = faults.toError(cause);
    if (found !== undefined) await record(faults.codes);
    return found;
  };
  const resolve = (on: Queryable) =>
    resolveTitles(rows.references, {
      ...{ plan, columns, snapshot, callerKind: kind, transaction: on },
      naming: { snapshot, titleFor },
      bind: (statement) => bindParameters(statement, context),
    });
  let untitled: FaultyTitles | null = null;
  if (rows.references.length > 0) {
    await transaction.savepoint(async (part) => {
      untitled = await resolve(part);
    });
  }
  if (faults.count > 0 || untitled !== null) {
    return {
      kind: "FAILED",
      error: faultsInFile,
      explain: async () => {
        if (untitled !== null) await leaveOut(untitled, faults, transaction);
        return requireError(await search());
      },
    };
  }
  const statement = compileImport(plan, rows, snapshot, kind);
  if (isOfSystem) requireOwnTables({ plan, statement }, rights);
  const parameters = bindParameters(statement, context);
  let row: WriteRow | undefined;
  try {
    await transaction.savepoint(async (part) => {
      [row] = await part.query<WriteRow>(statement.text, parameters);
      // Deferred constraints would fail the commit, without their rows.
      await part.query("set constraints all immediate");
      await requireSound(checkOf(checks, create, plan.relation), create, part);
    });
  } catch (error) {
    return {
      kind: "FAILED",
      error,
      explain: async (cause) => {
        const isSearchable = isOfRow(cause) || isRepeatedKey(cause);
        const found = isSearchable ? await search(cause) : undefined;
        if (found !== undefined) return found;
        const failed = failedStatement({ plan, statement }, context, parameters, database);
        const refusal = await explainFailure(cause, failed);
        await record(codesOf(refusal, cause));
        return refusal;
      },
    };
  }
  if (row === undefined) throw createError("INTERNAL_ERROR");
  const isSnapshotStale = row.proof !== proofOf(snapshot, statement.scope);
  const isPrincipalStale = row.version !== principal.version;
  if (isSnapshotStale || isPrincipalStale) {
    return { kind: "STALE", part: { snapshot: isSnapshotStale, principal: isPrincipalStale } };
  }
  const [inserted, updated] = [Number(row.inserted), Number(row.updated)];
  const skipped = Number(row.staged) - inserted - updated;
  return { kind: "PROVEN", value: { inserted, updated, skipped } };
}

const faultsInFile = new Error("The file has faults");

function requireError(error: AppError | undefined): AppError {
  return error ?? createError("INTERNAL_ERROR");
}

/** Adds the faults of titles, and removes their rows from those that PostgreSQL tries. */
async function leaveOut(
  { sql, ...found }: FaultyTitles,
  faults: RowFaults,
  transaction: StagingTransaction,
): Promise<void> {
  faults.merge(found.faults, { count: found.count, codes: ["VALUE_INVALID"] });
  await transaction.query(`delete from ${stagingTable} x where ${sql}`);
}

/** Adds the rows that PostgreSQL refuses. */
async function searchRows(
  transaction: StagingTransaction,
  staged: StagedImport,
  faults: RowFaults,
): Promise<void> {
  try {
    await transaction.savepoint(async (part) => {
      const found = await findRefusedRecords(part, staged);
      faults.merge(found.faults, found);
      if (!found.isComplete) faults.stop();
      throw undone;
    });
  } catch (error) {
    if (error === undone) return;
    // The search is an explanation: its own failure leaves the faults found so far.
    faults.stop();
  }
}

/**
 * Checks an import against the caller's grants, as a create of rows with these sets of fields.
 *
 * @throws AppError as a create; the paths of its faults are those of the file
 */
export function authorizeImport(
  request: ImportRequest,
  fieldSets: readonly (readonly string[])[],
  { snapshot, principal }: Rights,
  caller: Caller,
): AuthorizedCreate {
  if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
    throw authenticationRequired();
  }
  const create = createOfImport(request, fieldSets);
  try {
    const plan = authorizePlan(planRequest(create, snapshot.catalogue), snapshot, principal);
    if (plan.kind !== "CREATE") throw createError("INTERNAL_ERROR");
    return plan;
  } catch (error) {
    throw error instanceof AppError ? error.mapFaults(inHeader) : error;
  }
}

/** Replaces the pointer to a field of a JSON body by one to a name of the header. */
function inHeader(fault: Fault): Fault {
  const { path } = fault;
  return path?.startsWith("/data/") === true ? { ...fault, path: path.slice(5) } : fault;
}

/** Returns the columns of which the caller may create values, in the order of the table. */
export function creatableColumns(
  request: ImportRequest,
  rights: Rights,
  caller: Caller,
): readonly Column[] {
  const { relation } = authorizeImport(request, [], rights, caller);
  return relation.columns.filter(({ name }) => {
    try {
      authorizeImport(request, [[name]], rights, caller);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === "FIELD_UNKNOWN") return false;
      throw error;
    }
  });
}
