import { nestedDatabase, quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { lockTimeout, renameSql, rolledBack } from "@rowhouse/ddl";
import { readRelationKey } from "../../documents/document-name.ts";
import type { PartChange } from "../../model/part.ts";
import { tablesPart } from "../tables/tables-part.ts";
import { renamedTypes } from "../types.ts";
import { viewsPart } from "../views/views-part.ts";
import { pathOfSql, readSql, type SqlDocument } from "./sql-document.ts";

type Names = { readonly schema: string; readonly name: string };

interface Rename {
  readonly from: Names;
  readonly to: Names;
  readonly sql: readonly string[];
}

/** The present files under the names that other documents give tables, columns, views and types. */
export interface RenamedSql {
  readonly present: ReadonlyMap<string, SqlDocument>;
  /** The former paths of files, by those that they get. */
  readonly former: ReadonlyMap<string, string>;
}

/**
 * Renames what documents rename, reads the statements, and undoes it: PostgreSQL writes the new names wherever a statement has
 * the former ones.
 */
export async function presentAfterRenames(change: PartChange<SqlDocument>): Promise<RenamedSql> {
  const { state, elsewhere, world } = change;
  const renames = await findRenames(change);
  if (renames.length === 0) return { present: await readSql(state, elsewhere), former: new Map() };
  const read = await rolledBack(world.database, async (transaction) => {
    // Others would wait behind it.
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    for (const sql of renames.flatMap((one) => one.sql)) await transaction.asService.query(sql);
    const database = nestedDatabase(world.database, transaction);
    return readSql({ ...state, database }, elsewhere);
  });
  const former = renames.map(({ from, to }): [string, string] => [
    pathOfSql(to.schema, to.name),
    pathOfSql(from.schema, from.name),
  ]);
  return { present: read, former: new Map(former) };
}

async function findRenames({ documents, world }: PartChange<SqlDocument>): Promise<Rename[]> {
  const { catalogue } = await world.snapshots.fresh();
  const schemas = await world.database.query<{ name: string }>(
    "select n.nspname as name from pg_catalog.pg_namespace n",
  );
  const known = new Set(schemas.map(({ name }) => name));
  const created = (schema: string) => {
    if (known.has(schema)) return [];
    known.add(schema);
    return [`create schema ${quoteIdentifier(schema)}`];
  };
  const moveSql = (kind: string, from: Names, to: Names) => [
    ...created(to.schema),
    ...renameSql(kind, from, to),
  ];
  const renames: Rename[] = [];
  for (const { names, value } of documents.of(tablesPart).values()) {
    if (value.managed !== null) continue;
    const [schema = "", name = ""] = names;
    const to = { schema, name };
    const found = value.renamedFrom === null ? undefined : readRelationKey(value.renamedFrom);
    const isMoved =
      found !== undefined &&
      catalogue.relationByName(found.schema, found.name) !== undefined &&
      catalogue.relationByName(schema, name) === undefined;
    const from = isMoved ? found : to;
    const relation = catalogue.relationByName(from.schema, from.name);
    const columns = Object.entries(value.columns).flatMap(([column, { renamedFrom }]) => {
      const isRenamed =
        renamedFrom !== null &&
        relation?.columnByName(renamedFrom) !== undefined &&
        relation.columnByName(column) === undefined;
      if (!isRenamed) return [];
      const pair = [renamedFrom, column].map(quoteIdentifier).join(" to ");
      return [`alter table ${quoteQualified(schema, name)} rename column ${pair}`];
    });
    const sql = [...(isMoved ? moveSql("table", from, to) : []), ...columns];
    if (sql.length > 0) renames.push({ from, to, sql });
  }
  for (const { names, value } of documents.of(viewsPart).values()) {
    const [schema = "", name = ""] = names;
    const to = { schema, name };
    const from = value.renamedFrom === null ? undefined : readRelationKey(value.renamedFrom);
    const relation = from && catalogue.relationByName(from.schema, from.name);
    if (from === undefined || relation === undefined) continue;
    if (catalogue.relationByName(schema, name) !== undefined) continue;
    const kind = relation.kind === "MATERIALIZED_VIEW" ? "materialized view" : "view";
    renames.push({ from, to, sql: moveSql(kind, from, to) });
  }
  for (const { from, to } of await renamedTypes(world, documents)) {
    renames.push({ from, to, sql: moveSql("type", from, to) });
  }
  return renames;
}
