import { timeUnits } from "@rowhouse/data";
import { roundNumbers } from "@rowhouse/wire";
import { z } from "zod";
import { iconSchema } from "../presentation/icons.ts";
import { tablePresentationSchema } from "../presentation/presentation.ts";
import {
  aggregateTerms,
  fieldNames,
  filter,
  groupTerms,
  lostDescription,
  lostField,
  moment,
  orderTerms,
  positionSchema,
  readingDescription,
  readingName,
  roleIds,
  rowLimit,
  storableText,
} from "../presentation/reading-parts.ts";
import {
  fieldName,
  type Parameter,
  parameterInput,
  parameterName,
  parameterSchema,
} from "./parameter-schemas.ts";

/** The kinds of panels. */
export const panelKinds = ["FIGURE", "CHART", "PIVOT", "LIST", "TEXT"] as const;

const whole = (minimum: number, maximum: number) =>
  z
    .preprocess(roundNumbers, z.int().min(minimum).max(maximum))
    .meta({ type: "integer", minimum, maximum });

const layoutInput = z
  .strictObject({ x: whole(0, 11), y: whole(0, 999), w: whole(1, 12), h: whole(1, 24) })
  .refine(({ x, w }) => x + w <= 12, "x and w must fit into 12 columns")
  .meta({ description: "Below all other panels if omitted" });

export const layoutSchema = z
  .object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() })
  .meta({ id: "PanelLayout", description: "Place and size on a grid of 12 columns" });

const version = z.preprocess(roundNumbers, z.literal(1)).meta({ type: "integer", enum: [1] });
const unit = z.enum(timeUnits);
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
    .meta({ id: "FigurePresentation" }),
  CHART: z
    .strictObject({
      version,
      chart: z.enum(["bar", "stacked", "line", "area", "donut"]),
      horizontal: z.boolean().optional(),
    })
    .meta({ id: "ChartPresentation" }),
  PIVOT: z
    .strictObject({ version, totals: z.boolean().optional() })
    .meta({ id: "PivotPresentation" }),
  LIST: tablePresentationSchema,
  TEXT: z.strictObject({ version }).meta({ id: "TextPresentation" }),
};

/** The presentation of a panel of any kind. */
export const panelPresentationSchema = z.union(Object.values(panelPresentations));

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
    .meta({ description: "The fields that parameters of the dashboard filter" }),
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
      fillGaps: z.boolean().optional().meta({ description: "True by default" }),
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

/** One part of a dashboard: a figure, the groups of a chart or of a pivot table, rows, or a text. */
const panelSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(panelKinds),
    resourceId: z
      .string()
      .nullable()
      .meta({ description: "Null for a text, and after the resource was dropped" }),
    layout: layoutSchema,
    bindings: z.array(z.object({ parameter: z.string(), field: z.string() })),
    definition: z.record(z.string(), z.unknown()),
    presentation: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Panel" });

export const dashboardSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    position: z.int(),
    refreshSeconds: z.int().nullable(),
    roleIds: z.array(z.string()),
    parameters: z.array(parameterSchema),
    panels: z.array(panelSchema),
    lost: z.array(lostField.extend({ panel: z.string() })).meta({ description: lostDescription }),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: "Dashboard" });

type Definition = z.output<typeof panelInput>["definition"];
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
type PartOf<Union, Key> = Union extends unknown
  ? Key extends keyof Union
    ? Readonly<Exclude<Union[Key], undefined>>
    : never
  : never;

/** The definition of a panel; each kind has some of the parts. */
export type PanelDefinition = { readonly [Key in KeyOf<Definition>]?: PartOf<Definition, Key> };

/** A panel with every member. */
export type Panel = z.output<typeof panelSchema>;

/** A dashboard: several readings shown together. */
export type Dashboard = Readonly<Omit<z.output<typeof dashboardSchema>, "parameters">> & {
  readonly parameters: Parameter[];
};

/** A dashboard of a body, with every member. */
export type DashboardInput = Omit<Dashboard, "id" | "lost" | "createdAt" | "updatedAt">;

export const dashboardInput = z.strictObject({
  name: readingName,
  description: readingDescription.optional(),
  icon: iconSchema.optional(),
  position: positionSchema.optional(),
  refreshSeconds: z
    .preprocess(roundNumbers, z.int().min(10).max(86_400).nullable())
    .optional()
    .meta({
      type: ["integer", "null"],
      minimum: 10,
      maximum: 86_400,
      description: "How often an open page reads again; null for never",
    }),
  roleIds: roleIds.optional(),
  parameters: z.array(parameterInput).max(20).optional(),
  panels: z.array(panelInput).max(40).optional(),
});
