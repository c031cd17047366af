import { arrayLiteral, builtInType, quoteLiteral } from "@rowhouse/db";
import { datePartSql } from "../language/date-part.ts";
import type { InsideDate, InsideDocument, InsideRange } from "../language/filter.ts";
import { isTemporal } from "../language/period.ts";
import { isDocument } from "./column-value.ts";
import type { ComparedField } from "./compare-fields.ts";
import { rangeValueType } from "./range-type.ts";

/**
 * Returns SQL for a part of a field's value, with its type.
 *
 * @param timeZoneSql SQL of the name of the time zone in which timestamps have their parts
 * @returns undefined if values of the field's type have no such parts
 */
export function insideSql(
  { sql, type }: ComparedField,
  inside: InsideDocument | InsideDate | InsideRange,
  timeZoneSql: () => string,
): ComparedField | undefined {
  if ("path" in inside) {
    if (!isDocument(type)) return undefined;
    return insideDocument(type.base === "jsonb" ? sql : `${sql}::jsonb`, inside);
  }
  if ("bound" in inside) {
    const value = rangeValueType(type);
    return value && { sql: `pg_catalog.${inside.bound}(${sql})`, type: value };
  }
  if (!isTemporal(type)) return undefined;
  const part = datePartSql(inside.part, sql, type, timeZoneSql);
  return { sql: `(${part})`, type: builtInType("integer") };
}

/**
 * The value at a path of a document, null if there is none; as a number, non-numeric values yield null instead of an
 * error.
 */
function insideDocument(document: string, { path, as }: InsideDocument): ComparedField {
  const value = atSql(document, path, "->", "#>");
  const text = atSql(document, path, "->>", "#>>");
  if (as === "JSON") return { sql: `nullif(${value}, 'null'::jsonb)`, type: builtInType("jsonb") };
  if (as === "TEXT") return { sql: text, type: builtInType("text") };
  const sql = `(case when pg_catalog.jsonb_typeof(${value}) = 'number' then ${text}::numeric end)`;
  return { sql, type: builtInType("numeric") };
}

/** A key that is also the index of an element of a list, as PostgreSQL reads it in a path. */
const index = /^\s*[+-]?[0-9]/;

/** The value at a path: by steps, which cost less than a path and may have an index, if no step is also an index. */
function atSql(document: string, path: readonly string[], last: string, whole: string): string {
  if (path.some((key) => index.test(key))) {
    return `(${document} ${whole} ${quoteLiteral(arrayLiteral(path))}::text[])`;
  }
  const steps = path.map((key, at) => {
    const step = at === path.length - 1 ? last : "->";
    return ` ${step} ${quoteLiteral(key)}::text`;
  });
  return `(${document}${steps.join("")})`;
}
