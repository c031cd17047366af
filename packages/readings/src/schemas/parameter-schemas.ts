import { keepDigits } from "@rowhouse/wire";
import { z } from "zod";
import { storableText } from "../presentation/reading-parts.ts";

/** The periods that have a name. Weeks begin on Monday; the last n days include today, the last 12 months this month. */
export const namedPeriods = [
  "TODAY",
  "YESTERDAY",
  "LAST_7_DAYS",
  "LAST_30_DAYS",
  "LAST_90_DAYS",
  "LAST_12_MONTHS",
  "THIS_WEEK",
  "THIS_MONTH",
  "LAST_MONTH",
  "THIS_QUARTER",
  "THIS_YEAR",
  "LAST_YEAR",
] as const;
export type NamedPeriod = (typeof namedPeriods)[number];

/** Maximum number of values of one parameter. */
export const valuesMax = 100;

const dayForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** Whether a text is a day of the calendar, from the year 1000 on. */
export function isDay(text: unknown): text is string {
  if (typeof text !== "string" || !dayForm.test(text) || text < "1000") return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
}

export const fieldName = storableText(1, 300).meta({
  description: "Path of a field: `driver.name`",
});
export const parameterName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    "Must be lower-case letters, digits and underscores, at most 40, and begin with a letter",
  );

const day = z
  .string()
  .refine(isDay, "Must be a date from the year 1000 on, such as 2026-01-31")
  .meta({ format: "date" });

export const periodSchema = z
  .union([
    z.enum(namedPeriods),
    z
      .strictObject({ from: day, until: day.meta({ description: "Exclusive" }) })
      .refine(({ from, until }) => from < until, "until must be after from"),
  ])
  .meta({ id: "Period", description: "Days in the reader's time zone" });

/** A scalar with every digit: a number that a double cannot represent is a text. */
const scalar = z
  .preprocess(keepDigits, z.union([storableText(0, 1000), z.number(), z.boolean()]))
  .meta({ type: ["string", "number", "boolean"] });

const parameterParts = { name: parameterName, label: storableText(1, 100) };

export const parameterInput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("PERIOD"),
    ...parameterParts,
    default: periodSchema.nullable().optional(),
  }),
  z.strictObject({
    kind: z.literal("VALUE"),
    ...parameterParts,
    resourceId: z.guid(),
    field: fieldName,
    multiple: z.boolean().optional(),
    default: z
      .union([scalar, z.array(scalar).max(valuesMax)])
      .nullable()
      .optional()
      .meta({ description: "A list if `multiple`" }),
  }),
  z.strictObject({
    kind: z.literal("PERSON"),
    ...parameterParts,
    resourceId: z.guid().nullable().optional(),
    field: fieldName.nullable().optional(),
    default: z
      .literal("ME")
      .nullable()
      .optional()
      .meta({ type: ["string", "null"], enum: ["ME", null] }),
  }),
]);

const json = z.unknown().meta({ description: "A JSON value" });

/** A parameter in a response. */
export const parameterSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(["PERIOD", "VALUE", "PERSON"]),
    resourceId: z.string().nullable().optional(),
    field: z.string().nullable().optional(),
    multiple: z.boolean().optional(),
    default: json,
  })
  .meta({ id: "Parameter" });

export type Period = z.output<typeof periodSchema>;
/** Days from `from` up to but not including `until`, as ISO dates. */
export type FixedPeriod = Exclude<Period, NamedPeriod>;

type Complete<Given> = Given extends unknown
  ? { readonly [Key in keyof Given]-?: Exclude<Given[Key], undefined> }
  : never;

/** A parameter of a dashboard; panels bind it to their fields. The choices of a field are those that the reader may read. */
export type Parameter = Complete<z.output<typeof parameterInput>>;
