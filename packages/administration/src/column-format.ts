import type { ColumnType } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/json";
import { z } from "zod";

/** What a front end may be told of a column's values, by what they are. */
export type ValueClass =
  | "NUMBER"
  | "TEXT"
  | "DATE"
  | "TIMESTAMP"
  | "TIME"
  | "INTERVAL"
  | "BOOLEAN"
  | "JSON"
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

/** What the values of a type are; of an array's, its elements. */
export function valueClassOf(type: Pick<ColumnType, "base">): ValueClass {
  return classes[type.base.replace(/^.*\./, "")] ?? "OTHER";
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const currency = z.string().refine((code) => currencies.has(code), {
  error: "A currency is an ISO 4217 code, as EUR",
});
const decimals = z.int().min(0).max(20).optional();
const grouping = z.boolean().optional();
const style = z.enum(["short", "medium", "long"]).optional();
const caption = z
  .string()
  .min(1)
  .max(50)
  .refine(isStorableText, { error: "Text holds neither NUL nor a lone surrogate" });

/** How a column's values are shown; a format of an array column is its elements'. */
export const columnFormatSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("number"), decimals, grouping }),
  z.strictObject({ type: z.literal("currency"), currency, decimals }),
  // What stands for 100 %: 1 where 0.25 is 25 %, 100 where 25 is.
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
  z.strictObject({ type: z.literal("markdown") }),
  z.strictObject({
    type: z.literal("code"),
    language: z
      .string()
      .regex(/^[a-z0-9][a-z0-9+#.-]{0,29}$/, "A language is a short name in lower case")
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
  image: ["TEXT"],
  markdown: ["TEXT"],
  code: ["TEXT", "JSON"],
  json: ["JSON"],
};

/** What speaks against a format for values of a type; undefined for nothing. */
export function findFormatFault(format: ColumnFormat, type: ColumnType): string | undefined {
  const allowed = takes[format.type];
  const valueClass = valueClassOf(type);
  if (allowed !== "ANY" && !allowed.includes(valueClass)) {
    return `A column of type ${type.name} is not shown as ${format.type}`;
  }
  if (format.type === "duration" && (format.unit !== undefined) !== (valueClass === "NUMBER")) {
    return "A duration has a unit where it is a number, and none where it is an interval";
  }
  return undefined;
}

/** A stored format, unless it is none, or none for what the column holds today. */
export function readFormat(stored: unknown, type: ColumnType): ColumnFormat | null {
  const parsed = columnFormatSchema.safeParse(stored);
  return parsed.success && findFormatFault(parsed.data, type) === undefined ? parsed.data : null;
}
