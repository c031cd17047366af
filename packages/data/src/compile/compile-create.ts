import { builtInType, type Column, listType, quoteIdentifier, quoteQualified } from "@rowhouse/db";
import type { AuthorizedCreate, CreateGroup } from "../authorize/authorized-plan.ts";
import { columnSql, sentValueSql } from "./column-sql.ts";
import { rootScope } from "./compile-read.ts";
import type { SqlScope } from "./scope.ts";
import { rootAlias as alias, boundCase, boundedSql, type StatementBuilder } from "./statement.ts";
import {
  allOf,
  allowedOrRefused,
  allowedSql,
  newRowSql,
  presetSql,
  type RowAnswer,
  writeAnswer,
} from "./write-parts.ts";

/**
 * Compiles the part of a create after its gate. A new row is accepted only if each sent field is covered by a grant
 * that allows the row; otherwise `system.refuse_row` undoes the whole statement. Rows that set the same fields share
 * one INSERT.
 *
 * `data` is the row. For a list it is a JSON array with one text per group, which contains one row per line.
 */
export function compileCreate(plan: AuthorizedCreate, builder: StatementBuilder): string {
  const { scope } = rootScope(plan, builder);
  const inserts = plan.groups.map((_, group) =>
    compileInsert(plan, group, scope, sentRows(plan, group, scope)),
  );
  const ctes = inserts.map((insert, group) => `w${group} as (\n  ${insert}\n)`).join(", ");
  if (!plan.isList) {
    const missing =
      plan.conflict?.resolution === "ignore"
        ? ""
        : `when gate.ok and w0.data is null then ${refuseMissingSql(plan)} `;
    return `, ${ctes}
select gate.proof, gate.version, case ${missing}${boundCase("w0.data", builder)} else w0.data end as data
from gate left join w0 on true`;
  }
  const rows = plan.groups.map((_, group) => completeSql(plan, group, builder));
  return `, ${ctes}
select gate.proof, gate.version, ${boundedSql(`pg_catalog.json_build_array(${rows.join(", ")})::text`, builder)} as data
from gate`;
}

/** The rows of one INSERT, and its result. */
export interface InsertedRows {
  /** SQL for the text of a sent column, by its position among the sent columns. */
  readonly textOf: (column: Column, position: number) => string;
  /** The items of FROM beside the gate; null for one row of parameters. */
  readonly from: () => string | null;
  /** A condition on these items. */
  readonly where: string | null;
  /** The result of a row that was written. */
  readonly answer: () => RowAnswer;
}

function sentRows(plan: AuthorizedCreate, group: number, scope: SqlScope): InsertedRows {
  const { builder } = scope;
  const sent = groupAt(plan, group).sent.map(({ column }) => column);
  return {
    textOf: (column, position) =>
      plan.isList ? `x.c${position}` : builder.place({ kind: "VALUE", field: column.name, column }),
    from: () => (plan.isList ? unnestSql(sent, group, builder) : null),
    where: null,
    answer: () => writeAnswer(plan, scope),
  };
}

/** Compiles the INSERT of the rows of one group, whose RETURNING contains the answer for each row as `data`. */
export function compileInsert(
  plan: AuthorizedCreate,
  index: number,
  scope: SqlScope,
  rows: InsertedRows,
): string {
  const { relation, write } = plan;
  const { builder } = scope;
  const group = groupAt(plan, index);
  const sent = group.sent.map(({ column }) => column);
  const { presets } = group;
  const columns = [...sent, ...presets.map(({ column }) => column)];
  const values = [
    ...sent.map((column, position) => sentValueSql(rows.textOf(column, position), column)),
    // If several grants preset a column, the first sets it; the check below decides whether a grant allows the row.
    ...presets.map(({ column, choices }) =>
      presetSql(choices[0]?.preset ?? { kind: "LITERAL", text: null }, column, builder),
    ),
  ];
  const created = allowedSql(write, group.sent, (grant) => newRowSql(grant, relation, builder));
  const answer = rows.answer();
  const target = quoteQualified(relation.schema, relation.name);
  if (columns.length === 0) {
    // `default values` cannot be selected from the gate, so a closed gate raises an error.
    const open = allOf("(select gate.ok is true from gate)", created);
    return `insert into ${target} as ${alias} default values returning ${allowedOrRefused(open, answer)} as data`;
  }
  const names = columns.map((column) => quoteIdentifier(column.name)).join(", ");
  const items = rows.from();
  const from = items === null ? "gate" : `gate, ${items}`;
  const where = allOf("gate.ok", rows.where);
  const conflict = plan.conflict === null ? "" : conflictSql(plan, group, scope);
  const allowed =
    plan.conflict?.resolution === "merge" ? mergedSql(plan, group, created, builder) : created;
  return `insert into ${target} as ${alias} (${names}) select ${values.join(", ")} from ${from} where ${where}${conflict}
  returning ${allowedOrRefused(allowed, answer)} as data`;
}

/** Returns SQL for the values of a group's rows in their order: one array of texts per field. */
function unnestSql(sent: readonly Column[], group: number, builder: StatementBuilder): string {
  const texts = listType(builtInType("text"));
  const arrays = sent.map((column) =>
    builder.place({ kind: "VALUES", group, field: column.name, column }, texts),
  );
  const names = sent.map((_, index) => `c${index}`);
  return `rows from (${arrays.map((array) => `pg_catalog.unnest(${array})`).join(", ")}) x (${names.join(", ")})`;
}

/**
 * Compiles the conflict clause for rows whose key exists. A merge changes such a row only if, for each changed field,
 * one UPDATE grant matches the current row and allows the merged row. The merged row is checked before it is written.
 */
function conflictSql(plan: AuthorizedCreate, { merged }: CreateGroup, scope: SqlScope): string {
  const { relation, merge, conflict } = plan;
  const { builder } = scope;
  if (conflict === null) return "";
  const columns = conflict.fields.map(quoteIdentifier).join(", ");
  const target = `(${columns})${conflict.predicate === null ? "" : ` where ${conflict.predicate}`}`;
  if (conflict.resolution === "ignore") return ` on conflict ${target} do nothing`;
  const becomes = new Map(
    merged.sent.map(({ column }) => [column.name, `excluded.${quoteIdentifier(column.name)}`]),
  );
  for (const { column, choices } of merged.presets) {
    const cases = choices.map(({ grant, preset }) => {
      const when =
        grant.filter === null ? "true" : builder.grantFilterSql(grant.filter, relation, alias);
      return `when ${when} then ${presetSql(preset, column, builder)}`;
    });
    becomes.set(column.name, `case ${cases.join(" ")} else ${columnSql(column, alias)} end`);
  }
  const newColumn = (column: Column): string =>
    becomes.get(column.name) ?? columnSql(column, alias);
  const where = allowedSql(merge, merged.sent, (grant) => {
    const { filter } = grant;
    const row = newRowSql(grant, relation, builder, newColumn);
    if (filter === null) return row;
    return () => `(${allOf(builder.grantFilterSql(filter, relation, alias), row?.() ?? null)})`;
  });
  const sets =
    becomes.size === 0
      ? // Only the key was sent: the row is written unchanged, so that RETURNING contains it.
        conflict.fields.map(
          (name) => `${quoteIdentifier(name)} = ${alias}.${quoteIdentifier(name)}`,
        )
      : Array.from(becomes, ([name, sql]) => `${quoteIdentifier(name)} = ${sql}`);
  return ` on conflict ${target} do update set ${sets.join(", ")}${where === null ? "" : ` where ${where}`}`;
}

/**
 * Returns the condition under which the row of a merge is allowed: by the CREATE grants if it is new (`xmax` is 0), by
 * the UPDATE grants if it existed. Null if nothing is left to check.
 */
function mergedSql(
  plan: AuthorizedCreate,
  { merged }: CreateGroup,
  created: string | null,
  builder: StatementBuilder,
): string | null {
  const updated = allowedSql(plan.merge, merged.sent, (grant) =>
    newRowSql(grant, plan.relation, builder),
  );
  if (created === null && updated === null) return null;
  return `case when ${alias}.xmax = 0 then ${created ?? "true"} else ${updated ?? "true"} end`;
}

/** Returns SQL for the rows of a group, one per line. */
function completeSql(plan: AuthorizedCreate, group: number, builder: StatementBuilder): string {
  // A line break in the text of a row is white space within a document of the type json.
  const line = String.raw`pg_catalog.replace(data, E'\n', ' ')`;
  const lines = String.raw`(select coalesce(pg_catalog.string_agg(${line}, E'\n'), '') from w${group})`;
  if (plan.conflict?.resolution === "ignore") return lines;
  const rows = builder.place({ kind: "ROWS", group }, builtInType("bigint"));
  return `case when gate.ok and (select pg_catalog.count(*) from w${group}) < ${rows} then ${refuseMissingSql(plan)} else ${lines} end`;
}

/**
 * Returns SQL that undoes a create of which RETURNING lacks a row: the UPDATE grants did not allow its merge, or a trigger
 * skipped it. The effect of such a trigger is unchecked, because the grants are checked only on rows that RETURNING
 * contains.
 */
export function refuseMissingSql({ conflict }: AuthorizedCreate): string {
  return `system.${conflict === null ? "refuse_skipped_row" : "refuse_row"}()::text`;
}

function groupAt({ groups }: AuthorizedCreate, index: number): CreateGroup {
  const group = groups[index];
  if (group === undefined) throw new TypeError("A create has lost a group");
  return group;
}
