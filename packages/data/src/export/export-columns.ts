import type { ColumnType } from "@rowhouse/db";
import type { Projection } from "../authorize/projection.ts";
import { typeOutputSql } from "../compile/column-json.ts";
import { relatedSql } from "../compile/compile-row.ts";
import { fieldVisibleSql, relatedScope, type Scope, whereSql } from "../compile/scope.ts";
import { columnSql } from "../compile/statement.ts";

/** A column of a table that a list becomes. */
export interface ExportColumn {
  /** The field's name, behind those of the relations that lead to it. */
  readonly name: string;
  /** Its value as text, or null. */
  readonly sql: string;
  /** Whether it may hold what somebody typed. */
  readonly holdsText: boolean;
}

/** A projection flattened: columns, and what they need in FROM beside the relation itself. */
export interface FlatProjection {
  readonly columns: readonly ExportColumn[];
  readonly joins: string;
}

/**
 * Makes a table of a projection, in the order in which its fields were asked for. A to-one relation becomes a column for
 * each of its fields, a to-many relation one column that holds JSON. What does not show in a row is null there.
 *
 * @param order the paths that were asked for; null for every field
 */
export function flattenProjection(
  projection: Projection,
  scope: Scope,
  order: readonly string[] | null,
): FlatProjection {
  const joins: string[] = [];
  const columns = flatten(projection, scope, "", joins);
  const placed = columns.map((column) => ({ column, place: placeOf(column.name, order) }));
  placed.sort((a, b) => a.place - b.place);
  return { columns: placed.map(({ column }) => column), joins: joins.join("") };
}

function flatten(
  { fields, related }: Projection,
  scope: Scope,
  prefix: string,
  joins: string[],
): ExportColumn[] {
  const columns = fields.map((field): ExportColumn => {
    const { name, type } = field.column;
    const visible = fieldVisibleSql(scope, field);
    const text = typeTextSql(columnSql(field.column, scope.alias), type);
    const sql = visible === null ? text : `case when ${visible} then ${text} end`;
    return { name: `${prefix}${name}`, sql, holdsText: holdsText(type) };
  });
  for (const each of related) {
    const name = `${prefix}${each.name}`;
    if (each.edge.edge.kind === "MANY") {
      columns.push({ name, sql: `(${relatedSql(each, scope)})::text`, holdsText: false });
      continue;
    }
    // A join rather than a subquery for each field: over a whole table, Postgres may then hash the related one.
    const { scope: inner, from, conditions } = relatedScope(scope, each.edge);
    const innerJoins: string[] = [];
    const innerColumns = flatten(each.projection, inner, `${name}.`, innerJoins);
    const alias = `${inner.alias}_row`;
    const select = innerColumns.map(({ sql }, index) => `${sql} as c${index}`);
    joins.push(
      ` left join lateral (select ${select.join(", ")} from ${from}${innerJoins.join("")}${whereSql(conditions)}) ${alias} on true`,
    );
    columns.push(
      ...innerColumns.map((column, index) => ({ ...column, sql: `${alias}.c${index}` })),
    );
  }
  return columns;
}

function placeOf(name: string, order: readonly string[] | null): number {
  const place = (order ?? []).findIndex((path) => {
    if (path === name || path === "*") return true;
    const relation = path.endsWith(".*") ? path.slice(0, -2) : path;
    return name.startsWith(`${relation}.`) || path.startsWith(`${name}.`);
  });
  return place < 0 ? Number.MAX_SAFE_INTEGER : place;
}

const numbers = [
  "smallint",
  "integer",
  "bigint",
  "numeric",
  "money",
  "real",
  "double precision",
  "count",
];
const moments = [
  "date",
  "time without time zone",
  "time with time zone",
  "timestamp without time zone",
  "timestamp with time zone",
];
/** Of these, the text is what stands in JSON between the quotes. */
const plain: ReadonlySet<string> = new Set([
  ...numbers,
  "boolean",
  "uuid",
  "text",
  "character varying",
  "bytea",
  "json",
  "jsonb",
]);
const untyped: ReadonlySet<string> = new Set([
  ...numbers,
  ...moments,
  "boolean",
  "uuid",
  "json",
  "jsonb",
]);

/** A value as the text that a list has for it: without quotes where it is a JSON string, as JSON where it is composed. */
export function typeTextSql(sql: string, type: ColumnType): string {
  const output = type.base === "count" ? sql : typeOutputSql(sql, type);
  if (type.array || type.kind === "COMPOSITE") return `pg_catalog.to_json(${output})::text`;
  const isPlain = plain.has(type.base) || type.kind === "ENUM";
  return isPlain ? `${output}::text` : `(pg_catalog.to_json(${output}) #>> '{}')`;
}

/** A list is JSON and begins with a bracket; numbers, moments and truth have their own letters. */
export function holdsText(type: ColumnType): boolean {
  return !type.array && !untyped.has(type.base);
}
