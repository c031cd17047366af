import type { RelatedProjection } from "../authorize/projection.ts";
import type { RelatedGroups, RelatedNumbers } from "../authorize/related-rows.ts";
import type { VisibleEdge } from "../authorize/visible.ts";
import { aggregateOutput, type Output, outputSql } from "./aggregate-output.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { groupOrderSql, groupOutput, havingSql } from "./group-output.ts";
import { type Member, objectSql } from "./object-sql.ts";
import { listSql } from "./related-list.ts";
import { type RelatedScope, relatedScope, type Scope, visibleFilterSql } from "./scope.ts";

/** The numbers of a to-many relation's rows, in parts. */
export interface NumbersSql {
  readonly outputs: readonly Output[];
  /** Everything from FROM to WHERE; null if the outer scope joins the numbers. */
  readonly body: string | null;
}

/** Compiles the numbers of the related rows that the reader may see and that `deep` selects. */
export function numbersOf(
  related: RelatedProjection,
  { results }: RelatedNumbers,
  outer: Scope,
): NumbersSql {
  const target = relatedScope(outer, related.edge);
  const outputs = results.map((result) => aggregateOutput(result, target.scope, "fields"));
  return outer.isLong && !findsByIndex(related.edge, outer)
    ? { outputs: joinedOutputs(related, target, outputs, outer), body: null }
    : { outputs, body: bodyOf(related, target) };
}

/**
 * Whether an index finds the related rows of one row: then it costs less to search for those of each row than to group
 * all of them. Texts that differ may be equal in the other table's collation, and would be groups of one row.
 */
function findsByIndex({ edge }: VisibleEdge, outer: Scope): boolean {
  if (edge.foreignKey !== "TARGET") return true;
  const { target } = edge;
  const own = outer.visible.relation.oid;
  const names = edge.columns.map(([, name]) => name);
  const key = target.foreignKeys.find(
    (each) =>
      each.targetOid === own &&
      each.columns.length === names.length &&
      each.columns.every((name, at) => name === names[at]),
  );
  const isGroupable = names.every((name) => target.columnByName(name)?.type.folds === false);
  return key === undefined || key.isIndexed || !isGroupable;
}

/**
 * Joins the numbers of all related rows, in groups by the columns that refer to a row: one pass over the related rows, where
 * no index finds those of one row.
 */
function joinedOutputs(
  { rows }: RelatedProjection,
  { scope, grouped }: RelatedScope,
  outputs: readonly Output[],
  outer: Scope,
): readonly Output[] {
  const alias = `${scope.alias}g`;
  const keys = grouped.keys.map((column) => columnSql(column, grouped.alias)).join(", ");
  let prefix = "number";
  while (grouped.keys.some(({ name }) => name.startsWith(prefix))) prefix += "_";
  const chosen = rows?.where == null ? null : visibleFilterSql(rows.where, scope);
  const values = outputs.map(({ sql }, index) => `${sql} as "${prefix}${index}"`);
  const where = whereSql([...grouped.conditions, chosen]);
  const body = `${grouped.from}${scope.joins.sql}${where} group by ${keys}`;
  const on = grouped.joins(alias).join(" and ");
  outer.joins.add(
    ` left join (select ${[keys, ...values].join(", ")} from ${body}) ${alias} on ${on}`,
  );
  return outputs.map((output, index) => {
    const sql = `${alias}."${prefix}${index}"`;
    return { ...output, sql: output.type.base === "count" ? `coalesce(${sql}, 0)` : sql };
  });
}

/** Everything from FROM to WHERE, once every value has been compiled. */
function bodyOf({ rows }: RelatedProjection, { scope, once }: RelatedScope): string {
  const chosen = rows?.where == null ? null : visibleFilterSql(rows.where, scope);
  return `${once.from}${scope.joins.sql}${whereSql([...once.conditions, chosen])}`;
}

/** Returns SQL for the object of the numbers, one pass over the rows, or for a list of such objects, one for each group. */
export function numbersSql(
  related: RelatedProjection,
  numbers: RelatedNumbers,
  outer: Scope,
): string {
  if (numbers.groups !== null) return groupsSql(related, numbers, numbers.groups, outer);
  const { outputs, body } = numbersOf(related, numbers, outer);
  const object = objectSql(outputs.map(memberOf));
  const source = body === null ? "" : ` from ${body}`;
  return `(select ${object.jsonValue} from (select ${object.select}${source}) r)`;
}

function groupsSql(
  related: RelatedProjection,
  { results }: RelatedNumbers,
  { groups: terms, having, order }: RelatedGroups,
  outer: Scope,
): string {
  const { rows } = related;
  if (rows === null) throw new TypeError("Only a list has groups");
  const target = relatedScope(outer, related.edge);
  const { scope } = target;
  const groups = terms.map((term) => groupOutput(term, scope, `deep[${rows.path}][group_by]`));
  const outputs = [...groups, ...results.map((result) => aggregateOutput(result, scope, "fields"))];
  const keys = groups.map(({ sql }) => sql).join(", ");
  const counted = `${bodyOf(related, target)} group by ${keys}${havingSql(having, outputs, scope.builder)}`;
  const source = `${counted}${groupOrderSql(order, outputs, groups)}`;
  return listSql(objectSql(outputs.map(memberOf)), { source, counted }, rows, scope);
}

function memberOf({ name, sql, type }: Output): Member {
  return { name, sql: outputSql(sql, type), visibleSql: null };
}
