import { quoteIdentifier, quoteLiteral, quoteQualified } from "@rowhouse/db";
import type { TableStatement } from "./compile-create-table.ts";
import { definitionPath, type GuardedView } from "./guarded-view.ts";
import type { ViewRecord } from "./view-record.ts";

/** Returns the statements that create a view, in order. A materialized view stays empty until a refresh fills it. */
export function compileCreateView(view: GuardedView): TableStatement[] {
  const comment = view.comment === null ? [] : compileComment(view);
  return [compileView(view, "create", []), ...compileIndexes(view), ...comment];
}

export function compileReplaceView(view: GuardedView, present: ViewRecord): TableStatement[] {
  // The replacement also replaces the options: without this WITH, a security_barrier would be lost.
  return [compileView(view, "create or replace", present.options), ...compileComment(view)];
}

/** The statements that replace a materialized view with a new one, in three stages. */
export interface MaterializedReplacement {
  /** Renames the old view and creates the new one under its name. */
  readonly before: readonly TableStatement[];
  /** Drops the old view, which frees the names of its indexes. */
  readonly after: readonly TableStatement[];
}

/**
 * Replaces a materialized view. Postgres has no statement for it, so a new view takes the name of the old one and
 * receives its comments, privileges and owner.
 */
export function compileReplaceMaterialized(
  view: GuardedView,
  present: ViewRecord,
  aside: string,
): MaterializedReplacement {
  const target = quoteQualified(view.schema, view.name);
  const statement = (sql: string, path = "/data"): TableStatement => ({ sql, path });
  const rename = `alter materialized view ${target} rename to ${quoteIdentifier(aside)}`;
  // A list of columns says nothing of an index over expressions, or with an order.
  const kept = present.indexes.filter(({ isPlain }) => view.indexes === undefined || !isPlain);
  const indexes = [
    ...kept.map((index) => statement(index.sql, "/data/indexes")),
    ...compileIndexes(view),
  ];
  const comment = view.comment === undefined ? present.comment : view.comment;
  return {
    before: [statement(rename), compileView(view, "create", present.options)],
    after: [
      statement(`drop materialized view ${quoteQualified(view.schema, aside)}`),
      ...indexes,
      ...(comment === null ? [] : [commentStatement(target, true, comment)]),
      ...present.columnComments.map(({ column, comment: text }) =>
        statement(
          `comment on column ${target}.${quoteIdentifier(column)} is ${quoteLiteral(text)}`,
        ),
      ),
      ...present.privileges.map(({ grantee, privilege, grantable }) =>
        statement(
          `grant ${privilege.toLowerCase()} on ${target} to ${grantee === "" ? "public" : quoteIdentifier(grantee)}${grantable ? " with grant option" : ""}`,
        ),
      ),
      ...(present.own
        ? []
        : [
            statement(
              `alter materialized view ${target} owner to ${quoteIdentifier(present.owner)}`,
            ),
          ]),
    ],
  };
}

/** Returns the statement that drops a view without dependents. */
export function compileDropView(view: {
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
}): string {
  return `drop ${kindOf(view.materialized)} ${quoteQualified(view.schema, view.name)}`;
}

function compileView(view: GuardedView, verb: string, options: readonly string[]): TableStatement {
  const target = quoteQualified(view.schema, view.name);
  const settings = options.map((option) => {
    const at = option.indexOf("=");
    return `${option.slice(0, at)} = ${quoteLiteral(option.slice(at + 1))}`;
  });
  const clause = settings.length === 0 ? "" : ` with (${settings.join(", ")})`;
  const ending = view.materialized ? "\nwith no data" : "";
  return {
    sql: `${verb} ${kindOf(view.materialized)} ${target}${clause} as\n${view.sql}${ending}`,
    path: definitionPath,
  };
}

/**
 * Without an explicit name: it shares a namespace with all tables of the schema, and Postgres chooses a free name.
 */
function compileIndexes(view: GuardedView): TableStatement[] {
  return (view.indexes ?? []).map(({ columns, unique }, at) => ({
    sql: `create ${unique === true ? "unique " : ""}index on ${quoteQualified(view.schema, view.name)} (${columns.map(quoteIdentifier).join(", ")})`,
    path: `/data/indexes/${at}`,
  }));
}

function compileComment(view: GuardedView): TableStatement[] {
  if (view.comment === undefined) return [];
  const target = quoteQualified(view.schema, view.name);
  return [commentStatement(target, view.materialized, view.comment)];
}

function commentStatement(
  target: string,
  materialized: boolean,
  comment: string | null,
): TableStatement {
  const text = comment === null ? "null" : quoteLiteral(comment);
  return { sql: `comment on ${kindOf(materialized)} ${target} is ${text}`, path: "/data/comment" };
}

function kindOf(materialized: boolean): string {
  return materialized ? "materialized view" : "view";
}
