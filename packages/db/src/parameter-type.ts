import type { ColumnType } from "./relation.ts";

/** What a parameter is compared as, or handed over as. */
export type ParameterType = Pick<ColumnType, "name" | "ownOid" | "bindable">;

/** A scalar type of Postgres' own whose cast from text is its input function, as of most: `text`, `numeric`. */
export function builtInType(name: string): ColumnType {
  return {
    ...{ name, base: name, kind: "SCALAR", array: false, domain: false, labels: null },
    ...{ lengthMax: null, folds: false, ownOid: null, bindable: true },
    ...{ holdsBytes: name === "bytea", ordered: true, comparedAs: null, operators: null },
  };
}

/** The array of a type. A cast from text to it is its input function's work, whatever the element is. */
export function listType({ name, ownOid }: ParameterType): ParameterType {
  return { name: `${name}[]`, ownOid, bindable: true };
}

/**
 * A parameter, which goes out as text, as a value of its type that is made of the text once a statement. A cast from text
 * is not: to a date, an array or an enum it depends on settings or on the catalogue, so the planner leaves it where it is,
 * and a scan works it out anew for each row.
 *
 * So the parameter is of the type itself, whose input function reads it when it is bound. Where a cast makes something else
 * of a text than the input function does, a subquery holds the cast; the planner cannot look at the value in it.
 *
 * @param place the placeholder, `$1`
 */
export function parameterSql(place: string, { name, ownOid, bindable }: ParameterType): string {
  if (!bindable) return `(select ${place}::text::${name})`;
  // A prepared statement holds its parameters' types by OID. A type that was dropped and made anew gets a text of its own.
  return ownOid === null ? `${place}::${name}` : `${place}::${name}/*${ownOid}*/`;
}
