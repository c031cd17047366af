import { createError } from "@rowhouse/errors";
import type { ProjectedField, Projection } from "../authorize/projection.ts";
import type { DocumentMember } from "../authorize/projection-draft.ts";
import { holdsText, typeTextSql } from "../cells/cell-sql.ts";
import { headLabel, type ReaderForms, titleSuffix } from "../cells/heads.ts";
import {
  fieldTextSql,
  type NameSource,
  type TitledReference,
  titledReferences,
  titleSql,
} from "../cells/title-sql.ts";
import { columnSql, partSql, whereSql } from "../compile/column-sql.ts";
import { numbersOf, relatedSql } from "../compile/compile-row.ts";
import { fieldVisibleSql, relatedScope, type SqlScope } from "../compile/scope.ts";

export interface ExportColumn {
  /** The field's name, after the names of the relations on its path. */
  readonly name: string;
  /** What the first line of the file has for it. */
  readonly head: string;
  /** SQL for its value as text, or null. */
  readonly sql: string;
  /** Whether it may contain text that a user typed. */
  readonly holdsText: boolean;
}

/** The forms of a file, with what gives its columns and rows their names. */
export type ExportForms = ReaderForms & NameSource;

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
 * @throws AppError QUERY_INVALID for two columns of one name
 */
export function flattenProjection(
  projection: Projection,
  scope: SqlScope,
  order: readonly string[] | null,
  forms: ExportForms,
): FlatProjection {
  const joins: string[] = [];
  const columns = flatten(projection, scope, "", { joins, forms });
  requireDistinctHeads(columns, forms);
  const placed = columns.map((column) => ({
    column,
    place: placeOf(column.name, order),
  }));
  placed.sort((a, b) => a.place - b.place);
  return { columns: placed.map(({ column }) => column), joins: joins.join("") };
}

/** @throws AppError QUERY_INVALID if a title has the name of a field */
function requireDistinctHeads(columns: readonly ExportColumn[], { references }: ReaderForms): void {
  if (references !== "both") return;
  const seen = new Set<string>();
  for (const { head } of columns) {
    if (seen.has(head)) {
      const message = `Two columns of the file would be named ${head}: give the field an alias`;
      throw createError("QUERY_INVALID", { path: "references", message });
    }
    seen.add(head);
  }
}

/** What the columns of one export share. */
interface FlatParts {
  /** Receives the joins that the columns need. */
  readonly joins: string[];
  readonly forms: ExportForms;
}

/** Returns the columns of a relation's fields, with the titles of the rows that they refer to. */
function flattenFields(
  fields: readonly ProjectedField[],
  scope: SqlScope,
  prefix: string,
  { joins, forms }: FlatParts,
): ExportColumn[] {
  const { visible } = scope;
  const references = forms.references === "key" ? [] : titledReferences(visible, forms);
  const own = visible.fields.map(({ column }) => column);
  const last = new Map<ProjectedField, TitledReference[]>();
  for (const reference of references) {
    const names = reference.pairs.map((pair) => pair.own);
    const shown = fields.filter(({ field }) => names.includes(field.column.name));
    const at = shown.at(-1);
    const isWhole = names.every((name) => shown.some(({ field }) => field.column.name === name));
    // A key of several columns stays in its columns.
    if (at === undefined || !isWhole || (names.length > 1 && forms.references !== "both")) continue;
    last.set(at, [...(last.get(at) ?? []), reference]);
  }
  return fields.flatMap((projected): ExportColumn[] => {
    const { name, field } = projected;
    const { column } = field;
    const isNamed = forms.heads === "name" || name !== column.name;
    const label = isNamed ? null : headLabel(column, own, visible.relation, forms);
    const path = `${prefix}${name}`;
    const head = `${prefix}${label ?? name}`;
    const key = {
      name: path,
      head,
      sql: fieldTextSql(scope, field),
      holdsText: holdsText(column.type),
    };
    const titles = (last.get(projected) ?? []).map((reference) => {
      const sql = joinTitle(reference, scope, joins);
      const subject = reference.pairs.length === 1 ? head : `${prefix}${reference.edge.edge.name}`;
      return { name: path, head: `${subject}${titleSuffix}`, sql, holdsText: true };
    });
    if (forms.references !== "title") return [key, ...titles];
    const [title] = titles;
    // The key stands for a row without a title that the reader may see.
    return [
      title === undefined ? key : { ...title, head, sql: `coalesce(${title.sql}, ${key.sql})` },
    ];
  });
}

/** Joins the row that a reference leads to; returns SQL for its title, null if the reader may not see one of the keys. */
function joinTitle(
  { edge, pairs, title }: TitledReference,
  scope: SqlScope,
  joins: string[],
): string {
  const { scope: target, from, conditions } = relatedScope(scope, edge);
  const alias = `${target.alias}_title`;
  joins.push(
    ` left join lateral (select ${titleSql(target, title)} as title from ${from}${whereSql(conditions)}) ${alias} on true`,
  );
  const seen = pairs.flatMap(({ own }) => {
    const field = scope.visible.fieldByName(own);
    return field === undefined ? "false" : (fieldVisibleSql(scope, field) ?? []);
  });
  return seen.length === 0
    ? `${alias}.title`
    : `case when ${seen.join(" and ")} then ${alias}.title end`;
}

function flatten(
  { fields, documents, related }: Projection,
  scope: SqlScope,
  prefix: string,
  parts: FlatParts,
): ExportColumn[] {
  const { joins } = parts;
  const columns = flattenFields(fields, scope, prefix, parts);
  const add = (column: Omit<ExportColumn, "head">) =>
    columns.push({ ...column, head: column.name });
  for (const { name, field, parts: values } of documents) {
    const document = columnSql(field.column, scope.alias);
    const visible = fieldVisibleSql(scope, field);
    for (const { path } of valuesOf(values)) {
      const text = `nullif(${partSql(document, path)}::text, 'null')`;
      const sql = visible === null ? text : `case when ${visible} then ${text} end`;
      add({ name: `${prefix}${[name, ...path].join(".")}`, sql, holdsText: false });
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
      for (const [index, { name: result, type, sql }] of outputs.entries()) {
        add({
          name: `${name}.${result}`,
          sql: typeTextSql(body === null ? sql : `${alias}.c${index}`, type),
          holdsText: holdsText(type),
        });
      }
      continue;
    }
    if (each.edge.edge.kind === "MANY") {
      add({ name, sql: `(${relatedSql(each, scope)})::text`, holdsText: false });
      continue;
    }
    // A join instead of a subquery per field: for a whole table PostgreSQL can then hash the related one.
    const { scope: inner, from, conditions } = relatedScope(scope, each.edge);
    const innerJoins: string[] = [];
    const innerParts = { ...parts, joins: innerJoins };
    const innerColumns = flatten(each.projection, inner, `${name}.`, innerParts);
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
