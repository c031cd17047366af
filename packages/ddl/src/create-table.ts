import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  readPostgresFailure,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { isStatementsFault, rolledBack } from "./base/attempt.ts";
import { findResource } from "./base/registry.ts";
import { lockTimeout } from "./base/transaction-settings.ts";
import { compileCreateTable, type TableStatement } from "./compile-create-table.ts";
import type { GuardedTable } from "./guarded-table.ts";
import { schemaNotFound } from "./require-schema.ts";
import { nameTaken, verifyTable } from "./verify-table.ts";

export interface CreateTableInput {
  readonly schema: string;
  /** A result of `parseTableDefinition`. */
  readonly definition: GuardedTable;
  readonly actor: AuditActor;
}

export interface CreatedTable {
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
}

/**
 * Creates a table, its registry record and the audit entry in one transaction. A failure leaves nothing behind.
 *
 * @throws AppError NOT_FOUND for the schema, CONFLICT for a name in use or a lock timeout, otherwise 400 with a path
 */
export async function createTable(
  database: Database,
  { schema, definition, actor }: CreateTableInput,
): Promise<CreatedTable> {
  try {
    const resourceId = await database.transaction(async (transaction) => {
      await verifyTable(transaction, schema, definition, true);
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      for (const statement of compileCreateTable(schema, definition)) {
        await runStatement(transaction, statement);
      }
      const id = await findResource(transaction, schema, definition.name);
      await appendAuditEntry(transaction, actor, {
        action: "table.create",
        targetKind: "resource",
        targetId: id,
        changedFields: ["name", "columns"],
      });
      return id;
    });
    return { resourceId, schema, name: definition.name };
  } catch (error) {
    const code = error instanceof AppError ? readPostgresFailure(error.cause)?.code : undefined;
    // A statement was refused: probes find which texts of the table are the reason.
    if (isStatementsFault(code ?? "")) {
      await rolledBack(database, (transaction) => verifyTable(transaction, schema, definition));
    }
    throw toAppError(error);
  }
}

/**
 * Returns the statements that `createTable` would execute. It runs the same checks and executes none of the
 * statements.
 *
 * @throws AppError as `createTable`
 */
export async function previewCreateTable(
  database: Database,
  { schema, definition }: Omit<CreateTableInput, "actor">,
): Promise<{ sql: string[] }> {
  await rolledBack(database, (transaction) => verifyTable(transaction, schema, definition));
  return { sql: compileCreateTable(schema, definition).map((statement) => statement.sql) };
}

async function runStatement(transaction: Transaction, statement: TableStatement): Promise<void> {
  try {
    await transaction.asService.query(statement.sql);
  } catch (error) {
    throw toTableError(error, statement.path);
  }
}

/**
 * Converts errors that can occur after `verifyTable`: a concurrent change, or a limit that only the statement itself
 * meets.
 */
function toTableError(error: unknown, path: string): AppError | Error {
  const code = readPostgresFailure(error)?.code ?? "";
  // 23505 is a unique index of the system catalog: another transaction took the name at the same moment.
  if (code === "42P07" || code === "42710" || code === "23505") return nameTaken(error);
  if (code === "3F000") return schemaNotFound(error);
  if (code === "42501") {
    const message = "The service's database login lacks the privilege to create tables here";
    return createError("ACTION_DENIED", { message, cause: error });
  }
  if (code === "55P03") {
    const message = "A table that this one references is locked; try again";
    return createError("CONFLICT", { path, message, cause: error });
  }
  if (!isStatementsFault(code)) return toAppError(error);
  const message = "The database does not accept this definition";
  return createError("VALUE_INVALID", { path, message, cause: error });
}
