import type { Database } from "@rowhouse/db";
import {
  type CatalogueFileStatement,
  type CatalogueStatement,
  guardCatalogueFile,
  readCatalogueStatement,
  type StatementObject,
  settleCatalogueFile,
} from "@rowhouse/ddl";
import { AppError } from "@rowhouse/errors";
import type { Document } from "../../model/document.ts";
import type { Position } from "../../yaml/yaml-text.ts";
import { namesOfSql, type SqlDocument } from "./sql-document.ts";

/** A statement of a file, or of the present state. */
export interface SqlUnit {
  readonly object: StatementObject;
  readonly sql: string;
  readonly tree: string;
  /** The statement of a file as PostgreSQL writes it. */
  readonly settled?: string;
  readonly isDefiner: boolean;
  /** The logins of PostgreSQL that it names. */
  readonly logins: readonly string[];
  readonly position: Position | undefined;
  /** Whether PostgreSQL creates its object for another one. */
  readonly isImplied: boolean;
}

/** A statement that differs from the present state; one of both is missing for what is new or gone. */
export interface SqlChange {
  readonly before: SqlUnit | undefined;
  readonly after: SqlUnit | undefined;
}

/**
 * Returns what a file changes. Two statements are the same if they have the same tree, as they are written or as PostgreSQL
 * writes them.
 *
 * @param database where PostgreSQL may write them; undefined for a caller who may not run statements
 * @throws AppError with the lines of statements that the file may not have
 */
export async function sqlChanges(
  document: Document<SqlDocument>,
  present: SqlDocument | undefined,
  database: Database | undefined,
): Promise<SqlChange[]> {
  if (document.value.text === present?.text) return [];
  const statements = await guarded(document);
  const wanted = new Map(statements.map((one) => [one.object.key, unitOfFile(one)]));
  const before = await sqlUnits(present?.statements ?? []);
  const changes = pairs(before, wanted);
  if (changes.length === 0 || before.size === 0 || database === undefined) return changes;
  const [schema = "", name = null] = document.names;
  const settled = await settleCatalogueFile(database, { schema, name }, statements);
  const isWhole = statements.some(({ object: { kind } }) => roots.has(kind));
  const written = new Map(wanted);
  for (const [key, { object, tree, statement }] of settled) {
    const own = wanted.get(key);
    // A statement that creates its object can say more than one that PostgreSQL writes: the constraints of a table.
    if (own === undefined && !(isWhole && isOfWhole(statement))) continue;
    const base = own ?? unitOf(object, tree, statement);
    const sql = own === undefined ? statement.sql : base.sql;
    written.set(key, { ...base, tree, sql, settled: statement.sql });
  }
  return pairs(before, written);
}

/** The kinds whose statement creates the object that the others are of. */
export const roots: ReadonlySet<string> = new Set([
  ...["domain", "type", "sequence", "function", "procedure", "aggregate"],
  ...["table", "view", "materialized view"],
]);

function isOfWhole({ scope, implied }: CatalogueStatement): boolean {
  return !implied && (scope === "WHOLE" || scope === "BOTH" || scope === "ANY");
}

/** Returns the statements of the present state by the keys of their objects. */
export async function sqlUnits(
  statements: readonly CatalogueStatement[],
): Promise<Map<string, SqlUnit>> {
  const units = new Map<string, SqlUnit>();
  for (const statement of statements) {
    const read = await readCatalogueStatement(statement.sql);
    if (read === undefined) continue;
    units.set(read.object.key, unitOf(read.object, read.tree, statement));
  }
  return units;
}

function unitOf(object: StatementObject, tree: string, statement: CatalogueStatement): SqlUnit {
  const { sql, definer: isDefiner, implied: isImplied } = statement;
  return { object, sql, tree, isDefiner, isImplied, logins: [], position: undefined };
}

function unitOfFile({ place, ...statement }: CatalogueFileStatement): SqlUnit {
  return { ...statement, position: place, isImplied: false };
}

async function guarded(document: Document<SqlDocument>): Promise<CatalogueFileStatement[]> {
  const [schema = "", name = null] = namesOfSql(document.path) ?? [];
  try {
    return await guardCatalogueFile(document.value.text, { schema, name }, "");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw error.mapFaults(({ message, code, details = {} }) => {
      const { line, column } = details;
      const isPlaced = typeof line === "number" && typeof column === "number";
      return document.faultAt(
        [],
        message,
        code,
        isPlaced ? { line, column } : { line: 1, column: 1 },
      );
    });
  }
}

function pairs(
  before: ReadonlyMap<string, SqlUnit>,
  after: ReadonlyMap<string, SqlUnit>,
): SqlChange[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key): SqlChange[] => {
    const [was, is] = [before.get(key), after.get(key)];
    if (was?.tree === is?.tree || (is === undefined && was?.isImplied === true)) return [];
    return [{ before: was, after: is }];
  });
}
