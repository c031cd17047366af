import { builtInType, type ColumnType } from "@rowhouse/db";

/** The types of the values in PostgreSQL's own ranges. Those of other ranges are not known. */
const valueTypes: Readonly<Record<string, string>> = {
  int4: "integer",
  int8: "bigint",
  num: "numeric",
  ts: "timestamp without time zone",
  tstz: "timestamp with time zone",
  date: "date",
};

/** Whether values of the type are ranges, or lists of ranges (multiranges). */
export function isRange(type: ColumnType): boolean {
  return type.kind === "RANGE" && !type.array;
}

/** Returns the type of the values in a range; undefined for any other type. */
export function rangeValueType(type: ColumnType): ColumnType | undefined {
  const [, name = ""] = /^([a-z0-9]+?)(?:multi)?range$/.exec(type.base) ?? [];
  const value = isRange(type) && Object.hasOwn(valueTypes, name) ? valueTypes[name] : undefined;
  return value === undefined ? undefined : builtInType(value);
}
