import type { EffectiveGrant, Preset } from "@rowhouse/access";
import { type Column, quoteIdentifier, quoteQualified, type Relation } from "@rowhouse/db";
import { type AuthorizedPlan, covers } from "./authorize-plan.ts";
import { columnOutputSql } from "./column-json.ts";
import { keyConditions, rootScope } from "./compile-read.ts";
import { rowSql } from "./compile-row.ts";
import type { CreatePlan, DeletePlan, UpdatePlan } from "./plan-request.ts";
import { rowsSql, type Scope, whereSql } from "./scope.ts";
import { rootAlias as alias, columnSql, type StatementBuilder } from "./statement.ts";

/**
 * The rest of a create's statement. A new row stands only if every field that was sent is covered by a grant that allows
 * the row; else `system.refuse_row` undoes the statement.
 */
export function compileCreate(
  plan: AuthorizedPlan & CreatePlan,
  builder: StatementBuilder,
): string {
  const { relation, write } = plan;
  const sent = plan.fields.map((name) => requireColumn(relation, name));
  const presets = presetColumns(write, plan.fields, relation);
  const columns = [...sent, ...presets.map(({ column }) => column)];
  const values = [
    ...sent.map((column) => bodyValueSql(column, builder)),
    ...presets.map(({ column, choices }) =>
      // The first of several grants decides what the caller leaves open; which of them allows the row is checked below.
      presetSql(choices[0]?.preset ?? { kind: "LITERAL", text: null }, column, builder),
    ),
  ];
  const allowed = allowedSql(write, plan.fields, relation, builder, () => null);
  const { scope } = rootScope(plan, builder);
  const target = quoteQualified(relation.schema, relation.name);
  const names = columns.map((column) => quoteIdentifier(column.name)).join(", ");
  // A row of defaults alone cannot be selected from the gate; a closed gate raises instead.
  const [source, isAllowed] =
    columns.length === 0
      ? [
          "default values",
          ["(select gate.ok is true from gate)", ...(allowed === null ? [] : [allowed])].join(
            " and ",
          ),
        ]
      : [`(${names}) select ${values.join(", ")} from gate where gate.ok`, allowed];
  return `, written as (
  insert into ${target} as ${alias} ${source}
  returning ${answerSql(plan, isAllowed, scope)} as data
)
select gate.proof, gate.version, (select data from written) as data
from gate`;
}

/**
 * The rest of an update's statement. The row is locked first, so that filters are decided on the row as it is written
 * and not as the statement's snapshot saw it; which grants match the old row is remembered for the check of the new one.
 */
export function compileUpdate(
  plan: AuthorizedPlan & UpdatePlan,
  builder: StatementBuilder,
): string {
  const { relation, write } = plan;
  const { scope } = rootScope(plan, builder);
  const matches = write.map((grant) =>
    grant.filter === null ? null : builder.grantFilterSql(grant.filter, relation, alias),
  );
  const rows = matches.includes(null) ? [] : [`(${matches.join(" or ")})`];
  const flags = matches.flatMap((match, index) =>
    match === null ? [] : [`coalesce(${match}, false) as m${index}`],
  );
  const target = quoteQualified(relation.schema, relation.name);
  const key = plan.key.map((column) => quoteIdentifier(column.name));
  const found = [...plan.key.map((column) => `${columnSql(column, alias)}`), ...flags];
  const sets = [
    ...plan.fields.map((name) => {
      const column = requireColumn(relation, name);
      return `${quoteIdentifier(name)} = ${bodyValueSql(column, builder)}`;
    }),
    ...presetColumns(write, plan.fields, relation).map(({ column, choices }) => {
      const cases = choices.map(({ grant, preset }) => {
        const index = write.indexOf(grant);
        const when = matches[index] === null ? "true" : `f.m${index}`;
        return `when ${when} then ${presetSql(preset, column, builder)}`;
      });
      return `${quoteIdentifier(column.name)} = case ${cases.join(" ")} else ${columnSql(column, alias)} end`;
    }),
  ];
  const allowed = allowedSql(write, plan.fields, relation, builder, (index) =>
    matches[index] === null ? null : `f.m${index}`,
  );
  const conditions = ["gate.ok", ...keyConditions(plan.key, scope), ...rows];
  return `, found as (
  select ${found.join(", ")} from gate, ${target} ${alias}${whereSql(conditions)} for update of ${alias}
), written as (
  update ${target} as ${alias} set ${sets.join(", ")} from found f
  where ${key.map((name) => `${alias}.${name} = f.${name}`).join(" and ")}
  returning ${answerSql(plan, allowed, scope)} as data
)
select gate.proof, gate.version, (select data from written) as data
from gate`;
}

/** The rest of a delete's statement: `data` is null where no row was deleted. */
export function compileDelete(
  plan: AuthorizedPlan & DeletePlan,
  builder: StatementBuilder,
): string {
  const { relation, write } = plan;
  const { scope } = rootScope(plan, builder);
  const filters = write.map((grant) => grant.filter);
  const rows = builder.grantRowsSql(
    filters.includes(null) ? null : filters.flatMap((filter) => filter ?? []),
    relation,
    alias,
  );
  const conditions = ["gate.ok", ...keyConditions(plan.key, scope), rows];
  return `, written as (
  delete from ${quoteQualified(relation.schema, relation.name)} as ${alias} using gate${whereSql(conditions)}
  returning 1
)
select gate.proof, gate.version, (select 'deleted' from written) as data
from gate`;
}

/**
 * What a write answers for its row: the row as its writer may read it, or the key alone where the writer may not read
 * it; and the refusal of a row that no grant allows.
 */
function answerSql(
  plan: AuthorizedPlan & (CreatePlan | UpdatePlan),
  allowed: string | null,
  scope: Scope,
): string {
  const { relation, read } = plan;
  const key = keyJsonSql(relation);
  const readable = rowsSql(scope);
  const row = rowSql(plan.projection, scope);
  const full = `(select ${row.json} from (select ${row.select}) r)`;
  const answer =
    read.fields.length === 0
      ? key
      : readable === null
        ? full
        : `case when ${readable} then ${full} else ${key} end`;
  return allowed === null
    ? answer
    : `case when ${allowed} then ${answer} else system.refuse_row()::text end`;
}

function keyJsonSql(relation: Relation): string {
  const columns = relation.primaryKey.flatMap((name) => relation.columnByName(name) ?? []);
  if (columns.length === 0) return "'{}'";
  const select = columns.map(
    (column) => `${columnOutputSql(column, alias)} as ${quoteIdentifier(column.name)}`,
  );
  return `(select pg_catalog.row_to_json(r)::text from (select ${select.join(", ")}) r)`;
}

/**
 * The condition under which grants allow a new row: for each field that was sent, one grant that covers it, matched the
 * old row, and whose check and presets the new row satisfies. Null where nothing is left to check.
 */
function allowedSql(
  grants: readonly EffectiveGrant[],
  fields: readonly string[],
  relation: Relation,
  builder: StatementBuilder,
  matchOf: (index: number) => string | null,
): string | null {
  const ofGrant = grants.map((grant, index) => {
    const parts: string[] = [];
    const match = matchOf(index);
    if (match !== null) parts.push(match);
    if (grant.check !== null) parts.push(builder.grantFilterSql(grant.check, relation, alias));
    for (const [name, preset] of grant.presets) {
      const column = requireColumn(relation, name);
      parts.push(
        `${columnSql(column, alias)} is not distinct from ${presetSql(preset, column, builder)}`,
      );
    }
    return parts.length === 0 ? null : `(${parts.join(" and ")})`;
  });
  const conditions = new Set<string>();
  const wanted = fields.length === 0 ? [null] : fields;
  for (const field of wanted) {
    const covering = grants.flatMap((grant, index) =>
      field === null || covers(grant, field) ? [ofGrant[index] ?? null] : [],
    );
    if (covering.includes(null)) continue;
    conditions.add(covering.length === 1 ? String(covering[0]) : `(${covering.join(" or ")})`);
  }
  return conditions.size === 0 ? null : [...conditions].join(" and ");
}

interface PresetColumn {
  readonly column: Column;
  readonly choices: readonly { readonly grant: EffectiveGrant; readonly preset: Preset }[];
}

/** The columns that grants preset and the caller leaves open. */
function presetColumns(
  grants: readonly EffectiveGrant[],
  sent: readonly string[],
  relation: Relation,
): PresetColumn[] {
  const names = new Set(grants.flatMap((grant) => [...grant.presets.keys()]));
  return [...names]
    .filter((name) => !sent.includes(name))
    .map((name) => ({
      column: requireColumn(relation, name),
      choices: grants.flatMap((grant) => {
        const preset = grant.presets.get(name);
        return preset === undefined ? [] : [{ grant, preset }];
      }),
    }));
}

function presetSql(preset: Preset, column: Column, builder: StatementBuilder): string {
  return preset.kind === "VARIABLE"
    ? builder.placeGrantVariable(preset.variable, column.type)
    : `${builder.place({ kind: "CONSTANT", text: preset.text })}::${column.type.name}`;
}

function bodyValueSql(column: Column, builder: StatementBuilder): string {
  return `${builder.place({ kind: "VALUE", field: column.name, column })}::${column.type.name}`;
}

function requireColumn(relation: Relation, name: string): Column {
  const column = relation.columnByName(name);
  if (column === undefined) throw new TypeError("An authorized field has no column");
  return column;
}
