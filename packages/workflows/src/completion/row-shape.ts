import type { Catalogue, ColumnType, Relation } from "@rowhouse/db";
import { anyShape, listShape, objectShape, plainShape, type Shape } from "./shape.ts";

/** Numbers in responses of the Data API; larger types are texts there. */
const numberTypes: ReadonlySet<string> = new Set([
  "smallint",
  "integer",
  "real",
  "double precision",
]);

/**
 * Returns the shape of a row of a table; `any` for an unknown table.
 *
 * @param fields the fields that are read, separated by commas; undefined for all columns
 */
export function rowShape(
  catalogue: Catalogue,
  schema: unknown,
  table: unknown,
  fields?: unknown,
): Shape {
  if (typeof table !== "string") return anyShape;
  const relation = catalogue.relationByName(typeof schema === "string" ? schema : "public", table);
  if (relation === undefined) return anyShape;
  const terms = typeof fields === "string" ? fields.split(",").map((term) => term.trim()) : ["*"];
  return objectShape(terms.flatMap((term) => propertiesOf(catalogue, relation, term)));
}

function propertiesOf(
  catalogue: Catalogue,
  relation: Relation,
  term: string,
): (readonly [string, Shape])[] {
  if (term === "*") return relation.columns.map(({ name, type }) => [name, columnShape(type)]);
  const column = relation.columnByName(term);
  if (column !== undefined) return [[term, columnShape(column.type)]];
  const [name = ""] = term.split(".");
  const edge = catalogue.edgesOf(relation).byName.get(name);
  if (edge === undefined) return [];
  const columns = edge.target.columns.map(({ name, type }) => [name, columnShape(type)] as const);
  const related = objectShape(columns);
  return [[name, edge.kind === "MANY" ? listShape(related) : related]];
}

function columnShape({ base, kind, array }: ColumnType): Shape {
  const one = scalarShape(base, kind);
  return array ? listShape(one) : one;
}

function scalarShape(base: string, kind: ColumnType["kind"]): Shape {
  if (base === "boolean") return plainShape("boolean");
  if (numberTypes.has(base)) return plainShape("number");
  if (base === "json" || base === "jsonb" || kind === "COMPOSITE") return anyShape;
  return plainShape("string");
}
