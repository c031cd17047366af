import type { TimeUnit } from "@rowhouse/data";
import { z } from "@rowhouse/http";
import { keepDigits, roundNumbers } from "@rowhouse/wire";
import { isDay, valuesMax } from "../dashboard/parameter-value.ts";
import {
  iconSchema,
  positionSchema,
  tablePresentationSchema,
} from "../presentation/presentation-schemas.ts";
import { type Panel, panelKinds } from "../store/dashboard-panel.ts";
import { namedPeriods } from "../store/dashboard-parameter.ts";
import {
  aggregateTerms,
  fieldNames,
  filter,
  groupTerms,
  moment,
  orderTerms,
  readingDescription,
  readingName,
  roleIds,
  rowLimit,
  storableText,
} from "./reading-parts.ts";

const whole = (minimum: number, maximum: number) =>
  z
    .preprocess(roundNumbers, z.int().min(minimum).max(maximum))
    .openapi({ type: "integer", minimum, maximum });

const fieldName = storableText(1, 300).openapi({ description: "Path of a field: `driver.name`" });
const parameterName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    "Must be lower-case letters, digits and underscores, at most 40, and begin with a letter",
  );

const day = z
  .string()
  .refine(isDay, "Must be a date from the year 1000 on, such as 2026-01-31")
  .openapi({ format: "date" });

export const periodSchema = z
  .union([
    z.enum(namedPeriods),
    z
      .strictObject({ from: day, until: day.openapi({ description: "Exclusive" }) })
      .refine(({ from, until }) => from < until, "until must be after from"),
  ])
  .openapi("Period", { description: "Days in the reader's time zone" });

/** A scalar with every digit: a number that a double cannot represent is a text. */
const scalar = z
  .preprocess(keepDigits, z.union([storableText(0, 1000), z.number(), z.boolean()]))
  .openapi({ type: ["string", "number", "boolean"] });

const parameterParts = { name: parameterName, label: storableText(1, 100) };

const parameterInput = z.discriminatedUnion("kind", [
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
      .openapi({ description: "A list if `multiple`" }),
  }),
  z.strictObject({
    kind: z.literal("PERSON"),
    ...parameterParts,
    resourceId: z.guid().nullable().optional(),
    field: fieldName.nullable().optional(),
    default: z.literal("ME").nullable().optional(),
  }),
]);

const json = z.unknown().openapi({ description: "A JSON value" });

const parameter = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(["PERIOD", "VALUE", "PERSON"]),
    resourceId: z.string().nullable().optional(),
    field: z.string().nullable().optional(),
    multiple: z.boolean().optional(),
    default: json,
  })
  .openapi("Parameter");

const layoutInput = z
  .strictObject({ x: whole(0, 11), y: whole(0, 999), w: whole(1, 12), h: whole(1, 24) })
  .refine(({ x, w }) => x + w <= 12, "x and w must fit into 12 columns")
  .openapi({ description: "Below all other panels if omitted" });

export const layoutSchema = z
  .object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() })
  .openapi("PanelLayout", { description: "Place and size on a grid of 12 columns" });

const version = z.preprocess(roundNumbers, z.literal(1)).openapi({ type: "integer", enum: [1] });
const units = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
const unit = z.enum(units satisfies readonly TimeUnit[]);
/** A name of a color, which the front end chooses for its light and dark themes. */
const color = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, "Must be the name of a color");

/** The presentations of panels by kind. Each names no field, except that of a list. */
const panelPresentations = {
  FIGURE: z
    .strictObject({
      version,
      goodWhen: z.enum(["UP", "DOWN"]).optional(),
      color: color.optional(),
    })
    .openapi("FigurePresentation"),
  CHART: z
    .strictObject({
      version,
      chart: z.enum(["bar", "stacked", "line", "area", "donut"]),
      horizontal: z.boolean().optional(),
    })
    .openapi("ChartPresentation"),
  PIVOT: z.strictObject({ version, totals: z.boolean().optional() }).openapi("PivotPresentation"),
  LIST: tablePresentationSchema,
  TEXT: z.strictObject({ version }).openapi("TextPresentation"),
};

export const plainPresentations = {
  FIGURE: { version: 1 },
  CHART: { version: 1, chart: "bar" },
  PIVOT: { version: 1 },
  LIST: { version: 1, layout: "table", columns: [] },
  TEXT: { version: 1 },
} as const;

/** Reads the presentation of a panel; the plain one in place of one that this build does not understand. */
export function readPanelPresentation(
  kind: Panel["kind"],
  stored: unknown,
): Readonly<Record<string, unknown>> {
  const read = panelPresentations[kind].safeParse(stored);
  return read.success ? read.data : plainPresentations[kind];
}

const binding = z.strictObject({ parameter: parameterName, field: fieldName });

const panelParts = {
  id: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
      "Must be lower-case letters, digits and hyphens, at most 40",
    ),
  title: storableText(0, 200).optional(),
  layout: layoutInput.optional(),
};

const readingParts = {
  ...panelParts,
  resourceId: z.guid(),
  bindings: z
    .array(binding)
    .max(20)
    .optional()
    .openapi({ description: "The fields that parameters of the dashboard filter" }),
};

const panelInput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("FIGURE"),
    ...readingParts,
    definition: z.strictObject({
      aggregate: aggregateTerms.max(1),
      where: filter.optional(),
      time: z.strictObject({ field: fieldName, unit: unit.optional() }).optional(),
      comparison: z.boolean().optional(),
      sparkline: z.boolean().optional(),
    }),
    presentation: panelPresentations.FIGURE.optional(),
  }),
  z.strictObject({
    kind: z.literal("CHART"),
    ...readingParts,
    definition: z.strictObject({
      aggregate: aggregateTerms.max(4),
      groupBy: groupTerms.min(1).max(2),
      where: filter.optional(),
      having: filter.optional(),
      orderBy: orderTerms.optional(),
      limit: rowLimit.optional(),
      fillGaps: z.boolean().optional().openapi({ description: "True by default" }),
    }),
    presentation: panelPresentations.CHART.optional(),
  }),
  z.strictObject({
    kind: z.literal("PIVOT"),
    ...readingParts,
    definition: z.strictObject({
      aggregate: aggregateTerms.max(4),
      rows: groupTerms.min(1).max(3),
      columns: groupTerms.max(2).optional(),
      where: filter.optional(),
      limit: rowLimit.optional(),
    }),
    presentation: panelPresentations.PIVOT.optional(),
  }),
  z.strictObject({
    kind: z.literal("LIST"),
    ...readingParts,
    definition: z.strictObject({
      fields: fieldNames.optional(),
      where: filter.optional(),
      orderBy: orderTerms.optional(),
      limit: rowLimit.optional(),
    }),
    presentation: panelPresentations.LIST.optional(),
  }),
  z.strictObject({
    kind: z.literal("TEXT"),
    ...panelParts,
    resourceId: z.null().optional(),
    definition: z.strictObject({ markdown: storableText(0, 20_000) }),
    presentation: panelPresentations.TEXT.optional(),
  }),
]);

const panel = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(panelKinds),
    resourceId: z
      .string()
      .nullable()
      .openapi({ description: "Null for a text, and after the resource was dropped" }),
    layout: layoutSchema,
    bindings: z.array(z.object({ parameter: z.string(), field: z.string() })),
    definition: z.record(z.string(), z.unknown()),
    presentation: z.record(z.string(), z.unknown()),
  })
  .openapi("Panel");

export const dashboardSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    position: z.int(),
    refreshSeconds: z.int().nullable(),
    roleIds: z.array(z.string()),
    parameters: z.array(parameter),
    panels: z.array(panel),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Dashboard");

export const dashboardInput = z.strictObject({
  name: readingName,
  description: readingDescription.optional(),
  icon: iconSchema.optional(),
  position: positionSchema.optional(),
  refreshSeconds: z
    .preprocess(roundNumbers, z.int().min(10).max(86_400).nullable())
    .optional()
    .openapi({
      type: ["integer", "null"],
      minimum: 10,
      maximum: 86_400,
      description: "How often an open page reads again; null for never",
    }),
  roleIds: roleIds.optional(),
  parameters: z.array(parameterInput).max(20).optional(),
  panels: z.array(panelInput).max(40).optional(),
});
