import type { Transaction } from "@rowhouse/db";
import { withPlainPath } from "../base/transaction-settings.ts";
import {
  creatableExtensionSql,
  extensionsSql,
  otherStatementsSql,
  uncarriedSql,
} from "./others-sql.ts";
import { relationStatementsSql } from "./relations-sql.ts";
import { statementStages } from "./scope-sql.ts";

/** A statement that creates an object of the catalogue, or a part of one, as PostgreSQL writes it. */
export interface CatalogueStatement {
  readonly schema: string;
  /** The object to which it belongs: the table of a trigger. Null for a schema itself. */
  readonly name: string | null;
  /** Its place in the order of creation; see `statementStages`. */
  readonly stage: number;
  /**
   * When it is needed: `WHOLE` and `PART` for a relation that a document does not or does describe; `OBJECT` and `BOTH` for
   * an object that the document of its relation does not describe, `BOTH` also for a whole relation; `DESCRIBED` for
   * one that it does describe; `ANY` always.
   */
  readonly scope: "WHOLE" | "PART" | "OBJECT" | "BOTH" | "DESCRIBED" | "ANY";
  /** The name of the object in `elsewhere` of its relation's document: `trigger audit_rows`. */
  readonly object: string | null;
  /** Whether it is of a table or a view. */
  readonly isOfRelation: boolean;
  /** Without a semicolon at its end. */
  readonly sql: string;
  /** How many partitioned tables are above its table. */
  readonly depth: number;
  /** Whether PostgreSQL creates the object for another one: an index of a partition. */
  readonly implied: boolean;
  /** Whether it is a function that runs with the rights of its owner. */
  readonly definer: boolean;
  /** The column that owns a sequence. */
  readonly owner: {
    readonly schema: string;
    readonly name: string;
    readonly column: string;
  } | null;
}

/**
 * Returns the statements that create what the service's login owns in schemas of users, in the order of their creation.
 *
 * @param schemas these alone
 */
export async function readCatalogue(
  transaction: Transaction,
  schemas?: readonly string[],
): Promise<CatalogueStatement[]> {
  type Row = Omit<CatalogueStatement, "owner" | "stage" | "depth" | "isOfRelation"> & {
    readonly owner: string | null;
    readonly stage: string;
    readonly depth: string;
  };
  const parameters = [schemas === undefined ? null : JSON.stringify(schemas)];
  const rows = await withPlainPath(transaction, async () => [
    ...asRead(await transaction.query<Row>(relationStatementsSql, parameters), true),
    ...asRead(await transaction.query<Row>(otherStatementsSql, parameters), false),
  ]);
  return rows
    .map(
      ({ owner, stage, depth, ...row }): CatalogueStatement => ({
        ...row,
        ...{ stage: Number(stage), depth: Number(depth) },
        owner: owner === null ? null : (JSON.parse(owner) as CatalogueStatement["owner"]),
      }),
    )
    .toSorted(compareStatements);
}

function asRead<Row>(rows: readonly Row[], isOfRelation: boolean) {
  return rows.map((row) => ({ ...row, isOfRelation }));
}

/**
 * Indexes and constraints of deeper partitions stand first, since those above take what they find; a partition is attached
 * before its own, which then get its identity.
 */
function compareStatements(a: CatalogueStatement, b: CatalogueStatement): number {
  return (
    a.stage - b.stage ||
    (b.depth - a.depth) * (a.stage === statementStages.partition ? -1 : 1) ||
    order(a.schema, b.schema) ||
    order(a.name ?? "", b.name ?? "") ||
    order(a.sql, b.sql)
  );
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** An object that no statement creates. */
export interface Uncarried {
  readonly schema: string;
  readonly name: string;
  /** `operator fleet.=== (text, text)`. */
  readonly text: string;
  /** Whether it is a column of a table with a sequence of its own. */
  readonly isSerial: boolean;
}

/** Returns what users' schemas have and no statement creates. */
export async function readUncarried(transaction: Transaction): Promise<Uncarried[]> {
  return withPlainPath(transaction, () => transaction.query<Uncarried>(uncarriedSql, [null]));
}

export interface DatabaseExtension {
  readonly name: string;
  readonly version: string;
  readonly schema: string;
}

export async function readExtensions(transaction: Transaction): Promise<DatabaseExtension[]> {
  return transaction.query<DatabaseExtension>(extensionsSql);
}

/** Whether the server has an extension, and the service's login may create it. */
export async function isCreatableExtension(
  transaction: Transaction,
  { name, version }: DatabaseExtension,
): Promise<boolean> {
  const found = await transaction.query(creatableExtensionSql, [name, version]);
  return found.length > 0;
}
