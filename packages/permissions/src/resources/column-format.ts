import type { ColumnType } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { z } from "zod";

/** The formats of each class of column values. */
export type ValueClass =
  | "NUMBER"
  | "TEXT"
  | "DATE"
  | "TIMESTAMP"
  | "TIME"
  | "INTERVAL"
  | "BOOLEAN"
  | "JSON"
  | "FILE"
  | "OTHER";

const classes: Readonly<Record<string, ValueClass>> = {
  smallint: "NUMBER",
  integer: "NUMBER",
  bigint: "NUMBER",
  numeric: "NUMBER",
  real: "NUMBER",
  "double precision": "NUMBER",
  money: "NUMBER",
  text: "TEXT",
  "character varying": "TEXT",
  character: "TEXT",
  enum: "TEXT",
  citext: "TEXT",
  date: "DATE",
  "timestamp without time zone": "TIMESTAMP",
  "timestamp with time zone": "TIMESTAMP",
  "time without time zone": "TIME",
  "time with time zone": "TIME",
  interval: "INTERVAL",
  boolean: "BOOLEAN",
  json: "JSON",
  jsonb: "JSON",
};

/** Returns the class of a type's values; for an array, the class of its elements. */
export function valueClassOf(type: Pick<ColumnType, "base">): ValueClass {
  return classes[type.base.replace(/^.*\./, "")] ?? "OTHER";
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const currency = z.string().refine((code) => currencies.has(code), {
  error: "A currency must be an ISO 4217 code, such as EUR",
});
const decimals = z.int().min(0).max(20).optional();
const grouping = z.boolean().optional();
const style = z.enum(["short", "medium", "long"]).optional();
const caption = z
  .string()
  .min(1)
  .max(50)
  .refine(isStorableText, { error: "Text cannot contain NUL or an unpaired surrogate" });

/** How a front end shows a column's values; the format of an array column applies to its elements. */
export const columnFormatSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("number"), decimals, grouping }),
  z.strictObject({ type: z.literal("currency"), currency, decimals }),
  // The value that means 100 %: 1 if 0.25 is 25 %, 100 if 25 is 25 %.
  z.strictObject({
    type: z.literal("percent"),
    whole: z.union([z.literal(1), z.literal(100)]).optional(),
    decimals,
  }),
  z.strictObject({ type: z.literal("bytes") }),
  z.strictObject({
    type: z.literal("duration"),
    unit: z.enum(["milliseconds", "seconds", "minutes", "hours", "days"]).optional(),
  }),
  z.strictObject({ type: z.literal("rating"), max: z.int().min(2).max(10).optional() }),
  z.strictObject({ type: z.literal("date"), style }),
  z.strictObject({ type: z.literal("datetime"), style, seconds: z.boolean().optional() }),
  z.strictObject({ type: z.literal("time"), seconds: z.boolean().optional() }),
  z.strictObject({
    type: z.literal("boolean"),
    true: caption.optional(),
    false: caption.optional(),
  }),
  z.strictObject({ type: z.literal("email") }),
  z.strictObject({ type: z.literal("url") }),
  z.strictObject({ type: z.literal("phone") }),
  z.strictObject({ type: z.literal("image") }),
  z.strictObject({ type: z.literal("file") }),
  z.strictObject({ type: z.literal("markdown") }),
  z.strictObject({
    type: z.literal("code"),
    language: z
      .string()
      .regex(/^[a-z0-9][a-z0-9+#.-]{0,29}$/, "A language must be a short name in lower case")
      .optional(),
  }),
  z.strictObject({ type: z.literal("json") }),
]);

export type ColumnFormat = z.output<typeof columnFormatSchema>;

const takes: Readonly<Record<ColumnFormat["type"], readonly ValueClass[] | "ANY">> = {
  text: "ANY",
  number: ["NUMBER"],
  currency: ["NUMBER"],
  percent: ["NUMBER"],
  bytes: ["NUMBER"],
  duration: ["NUMBER", "INTERVAL"],
  rating: ["NUMBER"],
  date: ["DATE", "TIMESTAMP"],
  datetime: ["TIMESTAMP"],
  time: ["TIME", "TIMESTAMP"],
  boolean: ["BOOLEAN"],
  email: ["TEXT"],
  url: ["TEXT"],
  phone: ["TEXT"],
  // The address of a picture, or a file that is one.
  image: ["TEXT", "FILE"],
  file: ["FILE"],
  markdown: ["TEXT"],
  code: ["TEXT", "JSON"],
  json: ["JSON"],
};

/** The properties of a column that its format must fit. */
interface FormattedColumn {
  readonly type: ColumnType;
  /** Whether it refers to a file. */
  readonly isFile: boolean;
}

/** Returns the reason why a format does not apply to the values of a column; undefined if it applies. */
export function findFormatFault(
  format: ColumnFormat,
  { type, isFile }: FormattedColumn,
): string | undefined {
  const allowed = takes[format.type];
  const valueClass = isFile ? "FILE" : valueClassOf(type);
  if (format.type === "file" && !isFile) {
    return "Only a column with a foreign key to system.files can be shown as file";
  }
  if (allowed !== "ANY" && !allowed.includes(valueClass)) {
    return `A column of type ${type.name} cannot be shown as ${format.type}`;
  }
  if (format.type === "duration" && (format.unit !== undefined) !== (valueClass === "NUMBER")) {
    return "A duration requires a unit for a numeric column and allows none for an interval";
  }
  return undefined;
}

/** Returns a stored format; null if there is none, or if it does not apply to the column as it is now. */
export function readFormat(stored: unknown, column: FormattedColumn): ColumnFormat | null {
  const parsed = columnFormatSchema.safeParse(stored);
  return parsed.success && findFormatFault(parsed.data, column) === undefined ? parsed.data : null;
}
