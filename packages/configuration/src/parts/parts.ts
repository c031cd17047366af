import { simpleKinds } from "@rowhouse/db";
import { jsonSchemasOf } from "../documents/json-schemas.ts";
import type { Part } from "../model/part.ts";
import { providersPart } from "./providers.ts";
import { dashboardsPart } from "./readings/dashboards.ts";
import { dataViewsPart } from "./readings/data-views.ts";
import { recordPart } from "./record-part.ts";
import { rolesPart } from "./roles.ts";
import { settingsPart } from "./settings.ts";
import { sqlPart } from "./sql/sql-part.ts";
import { tablesPart } from "./tables/tables-part.ts";
import { templatesPart } from "./templates.ts";
import { typesPart } from "./types.ts";
import { viewsPart } from "./views/views-part.ts";
import { workflowsPart } from "./workflows/workflows-part.ts";

/** Every part of a configuration. */
export const parts = [
  settingsPart,
  typesPart,
  sqlPart,
  tablesPart,
  viewsPart,
  rolesPart,
  templatesPart,
  providersPart,
  workflowsPart,
  dataViewsPart,
  dashboardsPart,
  ...simpleKinds.map(recordPart),
] as readonly Part<unknown>[];

/** Returns the JSON Schema of the documents of each part. */
export function jsonSchemas(): ReturnType<typeof jsonSchemasOf> {
  return jsonSchemasOf(parts);
}
