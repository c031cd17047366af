import type { EffectiveGrant, Preset } from "@rowhouse/access";
import {
  arrayLiteral,
  type Column,
  isSameSql,
  quoteIdentifier,
  quoteLiteral,
  type Relation,
  textAsSql,
} from "@rowhouse/db";
import { columnOfField } from "../authorize/authorize-write.ts";
import type {
  AuthorizedCreate,
  AuthorizedUpdate,
  WrittenColumn,
} from "../authorize/authorized-plan.ts";
import type { Projection } from "../authorize/projection.ts";
import type { DocumentChange } from "../parse/request.ts";
import { columnOutputSql, columnSql } from "./column-sql.ts";
import { rowSql } from "./compile-row.ts";
import { rowsSql, type SqlScope } from "./scope.ts";
import { rootAlias as alias, type StatementBuilder } from "./statement.ts";

export interface RowAnswer {
  /** SQL for the response to a writer who may read the row. */
  readonly shown: string;
  /** The condition under which the writer may read the row, with the response to one who may not; null for always. */
  readonly unless: { readonly readable: string; readonly hidden: string } | null;
}

/** Returns the response to the write of a row: the row if its writer may read it, else only its key. */
export function rowAnswer(projection: Projection, scope: SqlScope): RowAnswer {
  const { relation } = scope.visible;
  const hidden = keyJsonSql(relation, alias);
  if (scope.visible.fields.length === 0) return sameAnswer(hidden);
  const row = rowSql(projection, scope);
  const shown = `(select ${row.json} from (select ${row.select}) r)`;
  const readable = rowsSql(scope);
  return { shown, unless: readable === null ? null : { readable, hidden } };
}

/** Returns a response that does not depend on what the writer may read. */
export function sameAnswer(shown: string): RowAnswer {
  return { shown, unless: null };
}

/** Returns SQL for the response to the write of a row. */
export function answerSql({ shown, unless }: RowAnswer): string {
  return unless === null
    ? shown
    : `case when ${unless.readable} then ${shown} else ${unless.hidden} end`;
}

/** Returns SQL for the response if the row is allowed; otherwise `system.refuse_row` undoes the statement. */
export function allowedOrRefused(allowed: string | null, answer: RowAnswer): string {
  if (allowed === null) return answerSql(answer);
  // A grant often allows the rows that its writer may read. PostgreSQL would evaluate the same condition twice.
  const isReadable = answer.unless !== null && allowed === `(${answer.unless.readable})`;
  const response = isReadable ? answer.shown : answerSql(answer);
  return `case when ${allowed} then ${response} else system.refuse_row()::text end`;
}

/** Returns the response to a create or an update, for each row. */
export function writeAnswer(
  { minimal, again, projection }: AuthorizedCreate | AuthorizedUpdate,
  scope: SqlScope,
): RowAnswer {
  if (minimal) return sameAnswer("''");
  return again === null ? rowAnswer(projection, scope) : keyAnswer(again);
}

/** Returns the response to a write whose rows are read again: the texts of the key's columns, as a JSON array. */
function keyAnswer(key: readonly Column[]): RowAnswer {
  const texts = key.map((column) => `${columnSql(column, alias)}::text`);
  return sameAnswer(`pg_catalog.json_build_array(${texts.join(", ")})::text`);
}

export function keyJsonSql(relation: Relation, alias: string): string {
  const columns = relation.primaryKey.flatMap((name) => relation.columnByName(name) ?? []);
  if (columns.length === 0) return "'{}'";
  const select = columns.map(
    (column) => `${columnOutputSql(column, alias)} as ${quoteIdentifier(column.name)}`,
  );
  return `(select pg_catalog.row_to_json(r.*)::text from (select ${select.join(", ")}) r)`;
}

/**
 * Returns the condition under which one grant allows a new row; null if it allows every row. The SQL is created only
 * on use, because PostgreSQL rejects a statement with a parameter that its text does not name.
 */
export type GrantCondition = (grant: EffectiveGrant) => (() => string) | null;

/**
 * Returns the condition under which grants allow a row: for each sent field, one grant that covers the field allows the
 * row. Null if nothing is left to check.
 *
 * @param grants those that allow a row without a sent field
 */
export function allowedSql(
  grants: readonly EffectiveGrant[],
  sent: readonly WrittenColumn[],
  conditionOf: GrantCondition,
): string | null {
  const conditions = new Set<string>();
  const wanted = sent.length === 0 ? [{ grants }] : sent;
  for (const permitting of wanted) {
    const covering = permitting.grants.map(conditionOf);
    if (covering.includes(null)) continue;
    const parts = covering.flatMap((condition) => condition?.() ?? []);
    conditions.add(parts.length === 1 ? String(parts[0]) : `(${parts.join(" or ")})`);
  }
  return conditions.size === 0 ? null : [...conditions].join(" and ");
}

/**
 * Returns the condition that a new row satisfies the check and the presets of a grant; null if the grant has neither.
 *
 * @param sqlOf returns SQL for a column of the new row
 */
export function newRowSql(
  grant: EffectiveGrant,
  relation: Relation,
  builder: StatementBuilder,
  sqlOf: (column: Column) => string = (column) => columnSql(column, alias),
): (() => string) | null {
  const { check, presets } = grant;
  if (check === null && presets.size === 0) return null;
  return () => {
    const parts: string[] = [];
    if (check !== null) parts.push(builder.grantFilterSql(check, relation, alias, sqlOf));
    for (const [name, preset] of presets) {
      const column = columnOfField(relation, name);
      // The column rounds a value to its scale.
      const value = storedSql(presetSql(preset, column, builder), column);
      parts.push(isSameSql(storedSql(sqlOf(column), column), value, column.type));
    }
    return `(${parts.join(" and ")})`;
  };
}

function storedSql(sql: string, { type }: Column): string {
  return type.declared === type.plain ? sql : `(${sql})::${type.declared}`;
}

/** Joins the conditions that are not null with ` and `; null if all are null. */
export function allOf(...conditions: readonly (string | null)[]): string | null {
  const present = conditions.filter((condition) => condition !== null);
  return present.length === 0 ? null : present.join(" and ");
}

/** Returns SQL for the value of a preset in the plain type of its column. */
export function presetSql(preset: Preset, column: Column, builder: StatementBuilder): string {
  return preset.kind === "VARIABLE"
    ? builder.placeGrantVariable(preset.variable, column.type)
    : textAsSql(builder.place({ kind: "CONSTANT", text: preset.text }), column.type);
}

/** The values of a change by their keys: the position of a value in `$set`, or the values inside an object. */
type ChangeTree = Map<string, number | ChangeTree>;

/**
 * Returns SQL for the document after a change, from the row that the statement writes.
 *
 * @param document SQL for the document as `jsonb`
 * @param valueAt returns SQL for a value of `$set` as `jsonb`
 */
export function changedDocumentSql(
  document: string,
  { sets, unsets }: DocumentChange,
  valueAt: (index: number) => string,
): string {
  const rest = unsets.map((path) => ` #- ${pathSql(path)}`).join("");
  const isObject = `pg_catalog.jsonb_typeof(${document}) = 'object'`;
  if (sets.length === 0)
    return `(case when ${isObject} then ${document}${rest} else ${document} end)`;
  const start = `case when ${isObject} then ${document}${rest} else '{}'::jsonb end`;
  return `(select ${mergedSql("d.v", treeOf(sets), [], valueAt)} from (select ${start} as v offset 0) d)`;
}

/**
 * Returns the condition that a change applies to a document: it is an object or missing, and so is each value on the way to a
 * value of `$set`.
 */
export function isChangeableSql(document: string, { sets }: DocumentChange): string {
  const ways = new Map<string, string>([["", document]]);
  for (const path of sets) {
    for (let end = 1; end < path.length; end += 1) {
      const way = `(${document} #> ${pathSql(path.slice(0, end))})`;
      ways.set(way, way);
    }
  }
  const conditions = Array.from(
    ways.values(),
    (way) => `coalesce(pg_catalog.jsonb_typeof(${way}), 'null') in ('object', 'null')`,
  );
  return `(${conditions.join(" and ")})`;
}

/** Returns SQL for the document of a column as `jsonb`. */
export function documentSql(sql: string, { type }: Pick<Column, "type">): string {
  return type.base === "jsonb" ? sql : `${sql}::jsonb`;
}

function treeOf(sets: DocumentChange["sets"]): ChangeTree {
  const root: ChangeTree = new Map();
  for (const [index, path] of sets.entries()) {
    let tree = root;
    for (const key of path.slice(0, -1)) {
      const known = tree.get(key);
      const inner: ChangeTree = typeof known === "object" ? known : new Map();
      tree.set(key, inner);
      tree = inner;
    }
    tree.set(path.at(-1) ?? "", index);
  }
  return root;
}

/** Maximum number of members in one call: a PostgreSQL function has at most 100 arguments. */
const membersMax = 45;

function mergedSql(
  start: string,
  tree: ChangeTree,
  path: readonly string[],
  valueAt: (index: number) => string,
): string {
  const members = Array.from(tree, ([key, inner]) => {
    const way = [...path, key];
    if (typeof inner === "number") return `${quoteLiteral(key)}::text, ${valueAt(inner)}`;
    const at = `(d.v #> ${pathSql(way)})`;
    const object = `(case when pg_catalog.jsonb_typeof(${at}) = 'object' then ${at} else '{}'::jsonb end)`;
    return `${quoteLiteral(key)}::text, ${mergedSql(object, inner, way, valueAt)}`;
  });
  const parts: string[] = [start];
  for (let at = 0; at < members.length; at += membersMax) {
    parts.push(`pg_catalog.jsonb_build_object(${members.slice(at, at + membersMax).join(", ")})`);
  }
  return `(${parts.join(" || ")})`;
}

function pathSql(path: readonly string[]): string {
  return `${quoteLiteral(arrayLiteral(path))}::text[]`;
}
