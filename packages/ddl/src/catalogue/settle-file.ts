import { type Database, quoteQualified, type Transaction } from "@rowhouse/db";
import { attempt, rolledBack } from "../base/attempt.ts";
import { quoteAsPostgres, scannedTokens } from "../base/sql-grammar.ts";
import {
  type CatalogueFileStatement,
  type FileObject,
  readCatalogueStatement,
} from "./guard-file.ts";
import { type CatalogueStatement, readCatalogue } from "./read-catalogue.ts";
import { runCatalogueStatement } from "./run-statement.ts";
import { scratch } from "./scope-sql.ts";
import type { StatementObject } from "./statement-objects.ts";

/** A statement as PostgreSQL writes it. */
export interface SettledStatement {
  readonly object: StatementObject;
  readonly tree: string;
  readonly statement: CatalogueStatement;
}

/** How a new object gets what its statements are of: the relation that exists, and the table of a partition. */
const baseSql = `select c.relkind::text as kind, (
    select pg_catalog.json_build_object('schema', m.nspname, 'name', t.relname, 'key', pg_get_partkeydef(t.oid))
    from pg_catalog.pg_inherits h join pg_catalog.pg_class t on t.oid = h.inhparent join pg_catalog.pg_namespace m on m.oid = t.relnamespace
    where h.inhrelid = c.oid and c.relispartition)::text as parent
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1::text and c.relname = $2::text and c.relkind in ('r', 'p', 'v', 'm')`;

/**
 * Returns how PostgreSQL writes the statements of a file: it runs them in a schema of their own, on a copy of the relation
 * that exists, reads them, and undoes it. It locks nothing that others change. A statement that fails there, because it
 * needs what does not exist yet or what only the relation itself has, is left out.
 *
 * @returns all that the statements create, by key; those of the copy itself too
 */
export async function settleCatalogueFile(
  database: Database,
  file: FileObject,
  statements: readonly CatalogueFileStatement[],
): Promise<ReadonlyMap<string, SettledStatement>> {
  const { schema, name } = file;
  if (name === null) return new Map();
  const [base] = await database.query<{ kind: string; parent: string | null }>(baseSql, [
    schema,
    name,
  ]);
  const parent = JSON.parse(base?.parent ?? "null") as Parent | null;
  const isCreated = statements.some(({ object: { kind } }) =>
    /^(?:table|(?:materialized )?view)$/.test(kind),
  );
  const indexes = statements.flatMap(({ object }) =>
    object.kind === "comment on index" ? [{ schema, name: object.indexName ?? "" }] : [],
  );
  const names = [{ schema, name }, ...indexes, ...(parent === null ? [] : [parent])];
  const read = await rolledBack(database, async (transaction) => {
    await transaction.asService.query(`create schema ${scratch}`);
    if (parent !== null) await copyParent(transaction, parent);
    if (!isCreated && base !== undefined) {
      await runCatalogueStatement(transaction, copySql(schema, name, base.kind));
    }
    for (const { sql } of statements) {
      const moved = redirect(sql, names, scratch);
      await attempt(transaction, () => runCatalogueStatement(transaction, moved));
    }
    return readCatalogue(transaction, [scratch]);
  });
  const settled = new Map<string, SettledStatement>();
  for (const found of read) {
    if (found.name !== name) continue;
    const sql = redirect(found.sql, [{ schema: scratch, name: null }], quoteAsPostgres(schema));
    const own = await readCatalogueStatement(sql);
    if (own === undefined) continue;
    settled.set(own.object.key, { ...own, statement: { ...found, schema, sql } });
  }
  return settled;
}

interface Parent {
  readonly schema: string;
  readonly name: string;
  readonly key: string;
}

function copySql(schema: string, name: string, kind: string): string {
  const [copy, own] = [quoteQualified(scratch, name), quoteQualified(schema, name)];
  if (kind === "v") return `create view ${copy} as select * from ${own}`;
  if (kind === "m") {
    return `create materialized view ${copy} as select * from ${own} with no data`;
  }
  return `create table ${copy} (like ${own} including defaults including generated including identity)`;
}

async function copyParent(transaction: Transaction, { schema, name, key }: Parent): Promise<void> {
  const [copy, own] = [quoteQualified(scratch, name), quoteQualified(schema, name)];
  await runCatalogueStatement(
    transaction,
    `create table ${copy} (like ${own} including all) partition by ${key}`,
  );
}

interface QualifiedName {
  readonly schema: string;
  /** Null for every name of the schema. */
  readonly name: string | null;
}

/**
 * Returns a statement that names objects in another schema. Names are those of the grammar's tokens, so the text of a
 * literal or of a function stays as it is.
 *
 * @param quoted the other schema, quoted
 */
function redirect(sql: string, names: readonly QualifiedName[], quoted: string): string {
  const bytes = Buffer.from(sql);
  const tokens = scannedTokens(sql).map(({ start, end }) => ({
    ...{ start, end },
    text: bytes.subarray(start, end).toString(),
  }));
  const isNamed = (schema: string, name: string, position: number) =>
    names.some((one) => one.schema === schema && (one.name === null || one.name === name)) ||
    (names.some((one) => one.schema === schema) && isSequenceName(position));
  // The sequence of an identity is in the schema of its table.
  const isSequenceName = (position: number) =>
    tokens[position - 1]?.text.toLowerCase() === "name" &&
    tokens[position - 2]?.text.toLowerCase() === "sequence";
  const pieces: string[] = [];
  let done = 0;
  for (const [position, token] of tokens.entries()) {
    const [dot, last] = [tokens[position + 1], tokens[position + 2]];
    if (dot?.text !== "." || last === undefined || tokens[position - 1]?.text === ".") continue;
    if (!isNamed(identifierOf(token.text), identifierOf(last.text), position)) continue;
    pieces.push(bytes.subarray(done, token.start).toString(), quoted);
    done = token.end;
  }
  return [...pieces, bytes.subarray(done).toString()].join("");
}

/** PostgreSQL folds the letters of ASCII only. */
function identifierOf(token: string): string {
  return token.startsWith('"')
    ? token.slice(1, -1).replaceAll('""', '"')
    : token.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
