import type { ColumnType } from "./catalogue/relation.ts";

/** The type that a parameter is compared with or passed as. */
export interface ParameterType extends Pick<ColumnType, "plain" | "ownOid" | "bindable"> {
  /** The type that reads the text, if the cast from text to the type itself depends on the locale. */
  readonly via?: string;
}

/**
 * Returns SQL that converts a text to the plain type of a column. A cast to a domain would truncate it to the domain's
 * length; the assignment to the column rejects what does not fit. `money` would read it by the database's locale.
 */
export function textAsSql(text: string, { plain, base, array }: ColumnType): string {
  return base === "money" ? `${text}::numeric${array ? "[]" : ""}::${plain}` : `${text}::${plain}`;
}

/**
 * Returns SQL that reads a text as an assignment to the column does: it fails for a text that does not fit the length, the
 * scale or the domain. It costs more than a cast.
 */
export function heldTextSql(text: string, type: ColumnType): string {
  const { base, array, declared } = type;
  // The text of a document would become a JSON string.
  const isCast = base === "money" || (!array && (base === "json" || base === "jsonb"));
  if (isCast) return `${textAsSql(text, type)}::${declared}`;
  // A cast truncates; this is the input function with the type modifier.
  return `(select r.v from pg_catalog.jsonb_to_record(pg_catalog.jsonb_build_object('v', ${text})) r (v ${declared}))`;
}

/** Returns how a caller's text of a type is converted by a parameter. */
export function sentType(type: ColumnType): ParameterType {
  if (type.base !== "money") return type;
  const { plain, ownOid } = type;
  return { plain, ownOid, bindable: false, via: type.array ? "numeric[]" : "numeric" };
}

/** A built-in scalar type whose cast from text is its input function, which holds for most: `text`, `numeric`. */
export function builtInType(name: string): ColumnType {
  return {
    ...{
      name,
      plain: name,
      declared: name,
      base: name,
      kind: "SCALAR",
      array: false,
      domain: false,
      labels: null,
    },
    ...{ lengthMax: null, folds: false, ownOid: null, bindable: true },
    ...{ holdsBytes: name === "bytea", ordered: true, comparedAs: null, operators: null },
    attributes: null,
  };
}

/** Returns the array of a type. A cast from text to an array is the array's input function for every element type. */
export function listType({ plain, ownOid, via }: ParameterType): ParameterType {
  const list = { plain: `${plain}[]`, ownOid, bindable: via === undefined };
  return via === undefined ? list : { ...list, via: `${via}[]` };
}

/**
 * Returns SQL that converts a text parameter to a type once in each statement. A plain cast from text is not converted
 * once: for a date, an array or an enum it depends on settings or the catalogue, so the planner does not evaluate it
 * early, and a scan repeats it for each row.
 *
 * So the parameter is declared as the type itself, and its input function reads the text when it is bound. If a cast
 * and the input function give different values for a text, a scalar subquery contains the cast; the planner cannot use
 * its value for estimates.
 *
 * @param place the placeholder, `$1`
 */
export function parameterSql(
  place: string,
  { plain, ownOid, bindable, via }: ParameterType,
): string {
  if (via !== undefined) {
    // The outer cast does nothing; without it `any ((select …))` would compare with the rows of a subquery.
    return `(select ${place}::text::${via}::${plain})::${plain}`;
  }
  if (!bindable) return `(select ${place}::text::${plain})`;
  // A prepared statement refers to the types of its parameters by OID. A type that was dropped and recreated needs a
  // different text.
  return ownOid === null ? `${place}::${plain}` : `${place}::${plain}/*${ownOid}*/`;
}
