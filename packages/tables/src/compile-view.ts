import { quoteIdentifier, quoteLiteral, quoteQualified } from "@rowhouse/db";
import type { TableStatement } from "./compile-create-table.ts";
import { definitionPath, type GuardedView } from "./guarded-view.ts";
import type { ViewRecord } from "./view-record.ts";

/** The statements that create a view, in their order. A materialized one is filled afterwards, by a refresh. */
export function compileCreateView(view: GuardedView): TableStatement[] {
  return [compileView(view, "create", []), ...compileIndexes(view), ...compileComment(view)];
}

/** The statements that give a view another definition in its place. */
export function compileReplaceView(view: GuardedView, present: ViewRecord): TableStatement[] {
  // What stands in WITH is replaced as well: without it, a security_barrier would be gone.
  return [compileView(view, "create or replace", present.options), ...compileComment(view)];
}

/** The statements that put a new materialized view in the place of one, in three acts. */
export interface MaterializedReplacement {
  /** Out of the way, and the new one under its name. */
  readonly before: readonly TableStatement[];
  /** The old one goes, and with it the names of its indexes. */
  readonly after: readonly TableStatement[];
}

/** Postgres replaces no materialized view: a new one takes its name, and what others gave the old one. */
export function compileReplaceMaterialized(
  view: GuardedView,
  present: ViewRecord,
  aside: string,
): MaterializedReplacement {
  const target = quoteQualified(view.schema, view.name);
  const statement = (sql: string, path = "/data"): TableStatement => ({ sql, path });
  const rename = `alter materialized view ${target} rename to ${quoteIdentifier(aside)}`;
  const indexes =
    view.indexes === undefined
      ? present.indexes.map((index) => statement(index.sql, "/data/indexes"))
      : compileIndexes(view);
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

/** The statement that drops a view which nothing depends on. */
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

/** Without a name of ours: it shares one name space with all tables of the schema, and Postgres knows a free one. */
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
