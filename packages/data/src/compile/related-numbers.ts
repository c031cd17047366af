import type { RelatedProjection } from "../authorize/projection.ts";
import type { RelatedGroups, RelatedNumbers } from "../authorize/related-rows.ts";
import { aggregateOutput, type Output, outputSql } from "./aggregate-output.ts";
import { whereSql } from "./column-sql.ts";
import { findsByIndex } from "./finds-by-index.ts";
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
  return outer.isLong && !findsByIndex(related.edge, outer.visible.relation)
    ? { outputs: joinedOutputs(related, target, outputs, outer), body: null }
    : { outputs, body: bodyOf(related, target) };
}

/** Joins the numbers of all related rows in one pass, where no index finds those of one row. */
function joinedOutputs(
  { rows }: RelatedProjection,
  target: RelatedScope,
  outputs: readonly Output[],
  outer: Scope,
): readonly Output[] {
  const chosen = rows?.where == null ? null : visibleFilterSql(rows.where, target.scope);
  const sums = outputs.map(({ sql }) => sql);
  const numberAt = outer.joins.addGroups(target, sums, chosen);
  return outputs.map((output, index) => {
    const sql = numberAt(index);
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
