import { quoteIdentifier } from "@rowhouse/db";
import type { Node, TypeName } from "libpg-query";
import { deparseCastType, parseOneType, refuseExpression } from "./base/sql-grammar.ts";
import { builtInTypes, catalogueTypes, serialTypes } from "./expression-allowlist.ts";
import type { TypeReference } from "./guarded-table.ts";

/** Schemas whose types and tables a definition may not use. */
export function isReservedSchema(schema: string): boolean {
  return (
    schema.startsWith("pg_") ||
    schema === "information_schema" ||
    schema === "system" ||
    schema === "rowhouse_queue"
  );
}

/** A type that passed the guard. */
export interface ParsedType {
  /** The deparsed type, modifier and array bounds included. */
  readonly sql: string;
  /**
   * The name under which the grammar represents a built-in scalar type; null for arrays and the types of the user's
   * database.
   */
  readonly builtIn: string | null;
  readonly references: readonly TypeReference[];
}

/**
 * Parses a column's `dataType`.
 *
 * @throws AppError EXPRESSION_INVALID for anything other than exactly one type, and for types that columns cannot have
 */
export async function parseColumnType(text: string, path: string): Promise<ParsedType> {
  const cast = await parseOneType(text, path);
  const typeName = "TypeCast" in cast ? cast.TypeCast.typeName : undefined;
  if (typeName === undefined) refuseExpression(path, "Exactly one type is required");
  const reference = guardTypeName(typeName, path);
  const isArray = (typeName.arrayBounds ?? []).length > 0;
  return {
    sql: deparseCastType(cast, path),
    builtIn:
      reference === undefined && !isArray ? (namePartsOf(typeName.names).at(-1) ?? null) : null,
    references: reference === undefined ? [] : [reference],
  };
}

/**
 * Refuses a type that is not on the list of built-in types and cannot be a type of the user's database.
 *
 * @returns the type to look up in the database; undefined for a built-in type
 */
export function guardTypeName(typeName: TypeName, path: string): TypeReference | undefined {
  if (typeName.setof === true || typeName.pct_type === true) {
    refuseExpression(path, "SETOF and %TYPE are not allowed here");
  }
  for (const modifier of typeName.typmods ?? []) {
    if (!("A_Const" in modifier) && !("ColumnRef" in modifier)) {
      refuseExpression(path, "A type modifier must be a constant");
    }
  }
  const names = namePartsOf(typeName.names);
  const [first, second] = names;
  if (first === undefined || names.length > 2) refuseExpression(path, "Unknown type");
  const inCatalogue = first === "pg_catalog" && second !== undefined;
  const name = second ?? first;
  if ((names.length === 1 || inCatalogue) && builtInTypes.has(name)) return undefined;
  if (serialTypes.has(name)) {
    refuseExpression(path, `${name} is not a type; use an integer type with identity ALWAYS`);
  }
  if (catalogueTypes.has(name)) refuseExpression(path, `The type ${name} is not allowed here`);
  if (second !== undefined && isReservedSchema(first)) refuseExpression(path, "Unknown type");
  return { sql: names.map(quoteIdentifier).join("."), path };
}

export function namePartsOf(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).map((node) => ("String" in node ? (node.String.sval ?? "") : ""));
}
