import type { NavigationColumn } from "../../shell/navigation.ts";

/** The properties of a column that its values depend on. */
export type ValueColumn = Pick<
  NavigationColumn,
  "dataType" | "baseType" | "array" | "values" | "format" | "colors" | "nullable" | "scale"
> & {
  /** Of values that refer to rows: the titles of these by the text of the value. */
  readonly titles?: Readonly<Record<string, string>> | undefined;
};

/** How values of a column are shown, read and edited. `OTHER` has texts that only PostgreSQL understands. */
export type ValueKind =
  | "ARRAY"
  | "TEXT"
  | "ENUM"
  | "UUID"
  | "INTEGER"
  | "DECIMAL"
  | "FLOAT"
  | "BOOLEAN"
  | "DATE"
  | "TIME"
  | "TIMESTAMP"
  | "INSTANT"
  | "INTERVAL"
  | "JSON"
  | "BYTES"
  | "RANGE"
  | "OTHER";

const kinds: Readonly<Record<string, ValueKind>> = {
  text: "TEXT",
  "character varying": "TEXT",
  character: "TEXT",
  bpchar: "TEXT",
  name: "TEXT",
  citext: "TEXT",
  enum: "ENUM",
  uuid: "UUID",
  smallint: "INTEGER",
  integer: "INTEGER",
  bigint: "INTEGER",
  numeric: "DECIMAL",
  real: "FLOAT",
  "double precision": "FLOAT",
  money: "DECIMAL",
  boolean: "BOOLEAN",
  date: "DATE",
  "time without time zone": "TIME",
  "time with time zone": "TIME",
  "timestamp without time zone": "TIMESTAMP",
  "timestamp with time zone": "INSTANT",
  interval: "INTERVAL",
  json: "JSON",
  jsonb: "JSON",
  bytea: "BYTES",
  int4range: "RANGE",
  int8range: "RANGE",
  numrange: "RANGE",
  daterange: "RANGE",
  tsrange: "RANGE",
  tstzrange: "RANGE",
};

/** Returns the kind of a column's values; domains have that of their base type. */
export function valueKindOf(column: Pick<ValueColumn, "baseType" | "array" | "values">): ValueKind {
  if (column.array) return "ARRAY";
  if (column.values !== null) return "ENUM";
  return kinds[unqualified(column.baseType)] ?? "OTHER";
}

/** Returns the column of an array's elements. */
export function elementOf<Column extends ValueColumn>(column: Column): Column {
  return { ...column, array: false, nullable: true };
}

const numeric: ReadonlySet<ValueKind> = new Set(["INTEGER", "DECIMAL", "FLOAT"]);

/** Whether values of a column are numbers, which stand at the right edge. */
export function isNumeric(
  column: Pick<ValueColumn, "baseType" | "array" | "values" | "titles">,
): boolean {
  return column.titles === undefined && numeric.has(valueKindOf(column));
}

/** Returns the title of the row that a value refers to, if it is known. */
export function titleIn(
  { titles }: Pick<ValueColumn, "titles">,
  value: unknown,
): string | undefined {
  const text = String(value);
  return titles !== undefined && Object.hasOwn(titles, text) ? titles[text] : undefined;
}

const withoutEmpty: ReadonlySet<ValueKind> = new Set([
  ...(["ARRAY", "UUID", "INTEGER", "DECIMAL", "FLOAT", "BOOLEAN", "DATE", "TIME"] as const),
  ...(["TIMESTAMP", "INSTANT", "INTERVAL", "JSON", "RANGE"] as const),
]);

/** Whether the empty text is a value of a column, so that it cannot stand for null. */
export function hasEmptyText(column: Pick<ValueColumn, "baseType" | "array" | "values">): boolean {
  const kind = valueKindOf(column);
  return kind === "ENUM" ? column.values?.includes("") === true : !withoutEmpty.has(kind);
}

/** The name of a type without its schema. */
export function unqualified(baseType: string): string {
  return baseType.replace(/^.*\."?|"$/g, "");
}

const zoned: ReadonlySet<string> = new Set([
  "timestamp with time zone",
  "tstzrange",
  "tstzmultirange",
]);

/** Whether a page of the columns shows times in the zone of the person, which it then names. */
export function hasInstants(columns: readonly Pick<ValueColumn, "baseType">[]): boolean {
  return columns.some(({ baseType }) => zoned.has(unqualified(baseType)));
}
