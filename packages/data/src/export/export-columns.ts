import type { ColumnType } from "@rowhouse/db";
import type { Projection } from "../authorize/projection.ts";
import type { DocumentMember } from "../authorize/projection-draft.ts";
import { columnSql, partSql, typeOutputSql, whereSql } from "../compile/column-sql.ts";
import { numbersOf, relatedSql } from "../compile/compile-row.ts";
import { fieldVisibleSql, relatedScope, type SqlScope } from "../compile/scope.ts";

export interface ExportColumn {
  /** The field's name, after the names of the relations on its path. */
  readonly name: string;
  /** SQL for its value as text, or null. */
  readonly sql: string;
  /** Whether it may contain text that a user typed. */
  readonly holdsText: boolean;
}

/** A flattened projection: its columns, and the joins that they need beside the relation itself. */
export interface FlatProjection {
  readonly columns: readonly ExportColumn[];
  readonly joins: string;
}

/**
 * Flattens a projection into columns in the order of the requested fields. A to-one relation becomes a column for each
 * of its fields, a to-many relation one column with JSON,
 * or one for each of its numbers. A field hidden in a row is null there.
 *
 * @param order the paths of the requested members; null for every field
 */
export function flattenProjection(
  projection: Projection,
  scope: SqlScope,
  order: readonly string[] | null,
): FlatProjection {
  const joins: string[] = [];
  const columns = flatten(projection, scope, "", joins);
  const placed = columns.map((column) => ({
    column,
    place: placeOf(column.name, order),
  }));
  placed.sort((a, b) => a.place - b.place);
  return { columns: placed.map(({ column }) => column), joins: joins.join("") };
}

function flatten(
  { fields, documents, related }: Projection,
  scope: SqlScope,
  prefix: string,
  joins: string[],
): ExportColumn[] {
  const columns = fields.map(({ name, field }): ExportColumn => {
    const { type } = field.column;
    const visible = fieldVisibleSql(scope, field);
    const text = typeTextSql(columnSql(field.column, scope.alias), type);
    const sql = visible === null ? text : `case when ${visible} then ${text} end`;
    return { name: `${prefix}${name}`, sql, holdsText: holdsText(type) };
  });
  for (const { name, field, parts } of documents) {
    const document = columnSql(field.column, scope.alias);
    const visible = fieldVisibleSql(scope, field);
    for (const { path } of valuesOf(parts)) {
      const text = `nullif(${partSql(document, path)}::text, 'null')`;
      const sql = visible === null ? text : `case when ${visible} then ${text} end`;
      columns.push({ name: `${prefix}${[name, ...path].join(".")}`, sql, holdsText: false });
    }
  }
  for (const each of related) {
    const name = `${prefix}${each.name}`;
    if (each.numbers !== null && each.numbers.groups === null) {
      const { outputs, body } = numbersOf(each, each.numbers, scope);
      const alias = `n${joins.length}_${scope.alias}`;
      const select = outputs.map(({ sql }, index) => `${sql} as c${index}`);
      if (body !== null) {
        joins.push(
          ` left join lateral (select ${select.join(", ")} from ${body}) ${alias} on true`,
        );
      }
      columns.push(
        ...outputs.map(({ name: result, type, sql }, index) => ({
          name: `${name}.${result}`,
          sql: typeTextSql(body === null ? sql : `${alias}.c${index}`, type),
          holdsText: holdsText(type),
        })),
      );
      continue;
    }
    if (each.edge.edge.kind === "MANY") {
      columns.push({ name, sql: `(${relatedSql(each, scope)})::text`, holdsText: false });
      continue;
    }
    // A join instead of a subquery per field: for a whole table PostgreSQL can then hash the related one.
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

/** Lists the values inside a document in their order. */
function* valuesOf(parts: readonly DocumentMember[]): Generator<DocumentMember> {
  for (const part of parts) {
    if (part.parts === null) yield part;
    else yield* valuesOf(part.parts);
  }
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
/** For these types the text equals the JSON string without its quotes. */
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

/** SQL for the text that a list has for a value: a JSON string without quotes, a composite value as JSON. */
export function typeTextSql(sql: string, type: ColumnType): string {
  const output = type.base === "count" ? sql : typeOutputSql(sql, type);
  if (type.array || type.kind === "COMPOSITE") return `pg_catalog.to_json(${output})::text`;
  const isPlain = plain.has(type.base) || type.kind === "ENUM";
  return isPlain ? `${output}::text` : `(pg_catalog.to_json(${output}) #>> '{}'::text[])`;
}

/** Lists are JSON that begins with a bracket; numbers, timestamps and booleans contain no typed text. */
export function holdsText(type: ColumnType): boolean {
  return !type.array && !untyped.has(type.base);
}
