import type { CallerKind } from "@rowhouse/access";
import type { Column, ProvenSnapshot, Snapshot } from "@rowhouse/db";
import type { AuthorizedCreate } from "../authorize/authorized-plan.ts";
import { compileInsert, refuseMissingSql } from "../compile/compile-create.ts";
import { rootScope } from "../compile/compile-read.ts";
import { gateSql, writingGateSql } from "../compile/compile-statement.ts";
import { rootAlias, type Statement, StatementBuilder } from "../compile/statement.ts";
import { sameAnswer } from "../compile/write-parts.ts";

/** The staging table of an import. It exists only in the transaction of its import. */
export const stagingTable = "pg_temp.rowhouse_import";

/**
 * Returns the statement that creates the staging table: row, line, set of fields, the values as text, and of each reference
 * that the file has by title the title `t` and the keys `k` that the file gives in its place.
 */
export function createStagingSql({ columns, references }: StagedColumns): string {
  const values = columns.map((_, index) => `, c${index} text`);
  const titles = references.flatMap(({ own }, index) => [
    `, t${index} text`,
    ...own.map((_, at) => `, k${index}_${at} text`),
  ]);
  const all = [...values, ...titles].join("");
  return `create temporary table rowhouse_import (n bigint, line bigint, g smallint${all}) on commit drop`;
}

/** The columns of a staging table. */
export interface StagedColumns {
  /** The columns with values. */
  readonly columns: readonly Column[];
  /** The references that the file has by title, with their columns. */
  readonly references: readonly { readonly own: readonly Column[] }[];
}

/** Returns the name of a value's column in the staging table. */
export function stagedColumn(columns: readonly Column[], name: string): string {
  return `x.c${columns.findIndex((column) => column.name === name)}`;
}

/**
 * Compiles the statement that creates the staged rows: behind the gate and under the grants as a create of a list.
 * Its row has the proof, the version, and the numbers of rows that were inserted, updated and staged.
 *
 * @param columns of the staging table
 * @param part a condition on the staged row `x`, to create only some of them; null for all
 */
export function compileImport(
  plan: AuthorizedCreate,
  { columns, references }: StagedColumns,
  snapshot: ProvenSnapshot & Pick<Snapshot, "catalogue">,
  callerKind: CallerKind,
  part: string | null = null,
): Statement {
  const builder = new StatementBuilder(snapshot.catalogue, "ABOVE");
  const { scope } = rootScope(plan, builder);
  // The rows whose titles were resolved have moved in the table.
  const rows =
    references.length === 0
      ? `${stagingTable} x`
      : `(select * from ${stagingTable} s order by s.n) x`;
  const isMerge = plan.conflict?.resolution === "merge";
  const inserts = plan.groups.map((_, group) =>
    compileInsert(plan, group, scope, {
      textOf: ({ name }) => stagedColumn(columns, name),
      from: () => rows,
      where: part === null ? `x.g = ${group}` : `x.g = ${group} and ${part}`,
      answer: () =>
        sameAnswer(isMerge ? `case when ${rootAlias}.xmax = 0 then 'i' else 'u' end` : "'i'"),
    }),
  );
  const ctes = inserts.map((insert, group) => `, w${group} as (\n  ${insert}\n)`).join("");
  const written = plan.groups.map((_, group) => `select data from w${group}`).join(" union all ");
  const numbers = `select pg_catalog.count(*) filter (where a.data = 'i') as inserted, pg_catalog.count(*) filter (where a.data = 'u') as updated
  from (${written || "select null::text as data where false"}) a`;
  const staged = `select pg_catalog.count(*) as staged from ${stagingTable} x${part === null ? "" : ` where ${part}`}`;
  const missing =
    plan.conflict?.resolution === "ignore"
      ? "null::text"
      : `case when gate.ok and r.inserted + r.updated < s.staged then ${refuseMissingSql(plan)} end`;
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    text: `with gate as materialized (${writingGateSql(builder, gate, plan.relation, snapshot.catalogue)})${ctes}
select gate.proof, gate.version, r.inserted::text as inserted, r.updated::text as updated, s.staged::text as staged, ${missing} as missing
from gate, (${numbers}) r, (${staged}) s`,
    parameters: builder.parameters,
    relation: plan.relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
}
