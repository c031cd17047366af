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
  const rename = `alter materialized view ${target} rename to ${quoteIdentifier(aside)}`;
  return {
    before: [statement(rename), compileView(view, "create", present.options)],
    after: [
      statement(`drop materialized view ${quoteQualified(view.schema, aside)}`),
      ...compileKept(view, present),
    ],
  };
}

/** What a new view gets of a present one of its name, and of a definition that replaces the present one's. */
export interface RecreatedView
  extends Pick<GuardedView, "schema" | "name" | "materialized" | "sql" | "comment" | "indexes"> {}

/** Returns the statement that creates a view with the options of one that is gone. */
export function compileAgain(view: RecreatedView, { options }: ViewRecord): TableStatement {
  return compileView(view, "create", options);
}

/**
 * Returns the statements that give a new view what the present one has: its comments, indexes, privileges, triggers and
 * owner.
 *
 * @param columns the columns of the new view; undefined if it has those of the present one
 */
export function compileKept(
  view: RecreatedView,
  present: ViewRecord,
  columns?: readonly string[],
): TableStatement[] {
  const target = quoteQualified(view.schema, view.name);
  // A list of columns says nothing of an index over expressions, or with an order.
  const kept = view.materialized
    ? present.indexes.filter(({ isPlain }) => view.indexes === undefined || !isPlain)
    : [];
  const comment = view.comment === undefined ? present.comment : view.comment;
  return [
    ...kept.flatMap(({ name, sql, comment: text }) => [
      statement(sql, "/data/indexes"),
      ...(text === null
        ? []
        : [
            statement(
              `comment on index ${quoteQualified(view.schema, name)} is ${quoteLiteral(text)}`,
            ),
          ]),
    ]),
    ...compileIndexes(view),
    ...(comment === null ? [] : [commentStatement(target, view.materialized, comment)]),
    ...present.attached
      .filter(({ column }) => column === null || columns?.includes(column) !== false)
      .map(({ sql }) => statement(sql)),
    ...present.privileges.map(({ grantee, privilege, grantable }) =>
      statement(
        `grant ${privilege.toLowerCase()} on ${target} to ${grantee === "" ? "public" : quoteIdentifier(grantee)}${grantable ? " with grant option" : ""}`,
      ),
    ),
    ...(present.own
      ? []
      : [
          statement(
            `alter ${kindOf(view.materialized)} ${target} owner to ${quoteIdentifier(present.owner)}`,
          ),
        ]),
  ];
}

function statement(sql: string, path = "/data"): TableStatement {
  return { sql, path };
}

/** Returns the statement that drops a view without dependents. */
export function compileDropView(view: {
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
}): string {
  return `drop ${kindOf(view.materialized)} ${quoteQualified(view.schema, view.name)}`;
}

function compileView(
  view: RecreatedView,
  verb: string,
  options: readonly string[],
): TableStatement {
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
function compileIndexes(view: RecreatedView): TableStatement[] {
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
