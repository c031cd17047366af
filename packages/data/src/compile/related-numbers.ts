import type { RelatedGroups, RelatedNumbers, RelatedProjection } from "../authorize/projection.ts";
import { aggregateOutput, type Output, outputSql } from "./aggregate-output.ts";
import { whereSql } from "./column-sql.ts";
import { visibleFilterSql } from "./filter-sql.ts";
import { groupOrderSql, groupOutput, havingSql } from "./group-output.ts";
import { type Member, objectSql } from "./object-sql.ts";
import { type OnePass, onePassOf } from "./one-pass.ts";
import { listSql } from "./related-list.ts";
import { groupedSql, type RelatedScope, relatedScope, type Scope } from "./scope.ts";

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
  const pass = onePassOf(outer, related.edge);
  if (pass === null) return { outputs, body: bodyOf(related, target) };
  return {
    outputs: joinedOutputs(target, outputs, chosenIn(pass, related, target), outer),
    body: null,
  };
}

/** Joins the numbers of all related rows in one pass, where no index finds those of one row. */
function joinedOutputs(
  target: RelatedScope,
  outputs: readonly Output[],
  chosen: readonly (string | null)[],
  outer: Scope,
): readonly Output[] {
  const sums = outputs.map(({ sql }) => sql);
  const numberAt = outer.joins.addGroups(target, sums, chosen);
  return outputs.map((output, index) => {
    const sql = numberAt(index);
    return { ...output, sql: output.type.base === "count" ? `coalesce(${sql}, 0)` : sql };
  });
}

/** Everything from FROM to WHERE, once every value has been compiled. */
function bodyOf(related: RelatedProjection, target: RelatedScope): string {
  const { scope, once } = target;
  const chosen = chosenSql(related, target);
  return `${once.from}${scope.joins.sql}${whereSql([...once.conditions, chosen])}`;
}

/** The conditions of the related rows that a pass reads, beside those of the reader. */
function chosenIn(
  pass: OnePass,
  related: RelatedProjection,
  target: RelatedScope,
): readonly (string | null)[] {
  return [pass.belongsSql(target.grouped), chosenSql(related, target)];
}

function chosenSql({ rows }: RelatedProjection, { scope }: RelatedScope): string | null {
  return rows?.where == null ? null : visibleFilterSql(rows.where, scope);
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
  const grouping = {
    by: groups.map(({ sql }) => sql),
    having: havingSql(having, outputs, scope.builder),
  };
  const pass = onePassOf(outer, related.edge);
  // Without a page each row of the relation would search the groups of all rows.
  const { shown, counted } =
    pass === null || pass.rows === null
      ? { shown: outputs, counted: groupsOfRow(related, target, grouping) }
      : groupsInPass(pass, related, target, outputs, grouping);
  const source = `${counted}${groupOrderSql(order, shown, shown.slice(0, groups.length))}`;
  return listSql(objectSql(shown.map(memberOf)), { source, counted }, rows, scope);
}

interface GroupingSql {
  /** SQL for each value that groups the rows. */
  readonly by: readonly string[];
  /** ` having …`; empty without a condition. */
  readonly having: string;
}

/** Everything from FROM to HAVING for the groups of one row. */
function groupsOfRow(
  related: RelatedProjection,
  target: RelatedScope,
  { by, having }: GroupingSql,
): string {
  return `${bodyOf(related, target)} group by ${by.join(", ")}${having}`;
}

/** Computes the groups of all rows of a pass; returns their results, with FROM and WHERE for the groups of one row. */
function groupsInPass(
  pass: OnePass,
  related: RelatedProjection,
  target: RelatedScope,
  outputs: readonly Output[],
  grouping: GroupingSql,
): { readonly shown: readonly Output[]; readonly counted: string } {
  const values = outputs.map(({ sql }) => sql);
  const chosen = chosenIn(pass, related, target);
  const { sql, alias, valueAt } = groupedSql(target, values, { chosen, ...grouping });
  pass.add(alias, sql);
  return {
    shown: outputs.map((output, index) => ({ ...output, sql: valueAt(index) })),
    counted: `${alias}${whereSql(target.grouped.joins(alias))}`,
  };
}

function memberOf({ name, sql, type }: Output): Member {
  return { name, sql: outputSql(sql, type), visibleSql: null };
}
