import { z } from "@hono/zod-openapi";
import { panelKinds } from "@rowhouse/saved-views";
import { layoutSchema, periodSchema } from "../dashboard-schemas.ts";
import { iconSchema } from "../presentation.ts";
import { fieldSchema, moreSchema, resourceRefSchema } from "./presenter.ts";

const json = z.unknown().openapi({ description: "A JSON value, with every digit of a number" });
const row = z.record(z.string(), z.unknown());

const terms = z
  .object({
    groups: z.array(z.object({ name: z.string(), field: z.string(), unit: z.string().nullable() })),
    aggregates: z.array(
      z.object({ name: z.string(), apply: z.string(), field: z.string().nullable() }),
    ),
  })
  .openapi("PanelTerms");

/** A panel with its content for one reader. */
export const openPanelSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(panelKinds),
    layout: layoutSchema,
    presentation: z
      .record(z.string(), z.unknown())
      .openapi({ description: "Of a list without the columns that the reader may not see" }),
    resource: resourceRefSchema.optional(),
    names: z
      .array(z.string())
      .optional()
      .openapi({ description: "Not of a list: groups, then aggregates" }),
    terms: terms.optional(),
    pivot: z
      .object({ rows: z.array(z.string()), columns: z.array(z.string()) })
      .optional()
      .openapi({
        description: "Of a pivot table: the names of the groups of its rows and columns",
      }),
    fields: z
      .array(fieldSchema)
      .optional()
      .openapi({ description: "Of a list, or of the groups and the aggregated columns" }),
    rows: z.array(row).optional(),
    cut: z
      .literal(true)
      .optional()
      .openapi({ description: "There are more groups than these rows" }),
    filled: z.boolean().optional().openapi({
      description:
        "Of a chart over time: whether each bucket has a row. False beyond 2,000 rows, and for groups that a limit, a condition or another order selects",
    }),
    totals: z
      .object({ rows: z.array(row), columns: z.array(row), all: row })
      .optional()
      .openapi({ description: "Of a pivot table: aggregates over each row, each column, and all" }),
    figure: z
      .object({
        value: json,
        previous: json.openapi({
          description: "The same in the period before; null without a period",
        }),
      })
      .optional(),
    sparkline: z.array(z.object({ bucket: z.string(), value: json })).optional(),
    markdown: z.string().optional(),
    canDrill: z
      .boolean()
      .optional()
      .openapi({ description: "Whether `…/rows?mark=` can select the rows of each group" }),
    more: moreSchema.optional(),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .openapi({ description: "Why the panel has no content" }),
    meta: z.object({
      asOf: z.string().openapi({ format: "date-time", description: "When its rows were read" }),
    }),
  })
  .openapi("OpenPanel");

const openParameter = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(["PERIOD", "VALUE", "PERSON"]),
    multiple: z.boolean(),
    value: z
      .union([periodSchema, z.unknown()])
      .openapi({ description: "A period, a value, a list of values, the id of a person, or null" }),
    from: z
      .string()
      .optional()
      .openapi({ format: "date", description: "Of a period: its first day" }),
    until: z
      .string()
      .optional()
      .openapi({ format: "date", description: "Of a period: the day after its last" }),
  })
  .openapi("OpenParameter");

export const openDashboardSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    refreshSeconds: z.int().nullable(),
    timeZone: z
      .string()
      .openapi({ description: "In which days begin: the account's, else the installation's" }),
    parameters: z.array(openParameter),
    panels: z.array(openPanelSchema),
  })
  .openapi("OpenDashboard");
