import { isDeepStrictEqual } from "node:util";
import {
  columnsOfDashboard,
  currentDashboard,
  type DashboardInput,
  dashboardInput,
  dashboardOfBody,
  dashboardRecords,
  plainPresentations,
  requireValidDashboard,
  type StoredDashboard,
} from "@rowhouse/readings";
import { z } from "zod";
import { type ReadingNames, resourceSchema, rolesSchema } from "./reading-names.ts";
import { readingPart } from "./reading-part.ts";

type Panel = DashboardInput["panels"][number];
type Parameter = DashboardInput["parameters"][number];

/** Returns the alternatives of a schema with a relation by its key where it has one by its id. */
function named({ options }: { readonly options: readonly z.core.$ZodType[] }) {
  const alternatives = (options as readonly z.ZodObject[]).map((option) => {
    const { resourceId } = option.shape;
    // The resource of a panel is null after its table was dropped.
    return resourceId === undefined
      ? option
      : option
          .omit({ resourceId: true })
          .extend({ resource: resourceSchema.nullable().optional() });
  });
  return z.discriminatedUnion("kind", alternatives as [z.ZodObject, ...z.ZodObject[]]);
}

const { parameters, panels } = dashboardInput.shape;
const schema = dashboardInput
  .omit({ name: true, roleIds: true })
  .extend({
    roles: rolesSchema,
    parameters: z.array(named(parameters.unwrap().element)).max(20).optional(),
    panels: z.array(named(panels.unwrap().element)).max(40).optional(),
  })
  .transform(({ roles, ...given }) => {
    const body = { ...given, name: "", roleIds: roles };
    return dashboardOfBody({
      ...body,
      parameters: given.parameters?.map(withResourceId) as never,
      panels: given.panels?.map(withResourceId) as never,
    });
  });

function withResourceId({ resource, ...part }: Readonly<Record<string, unknown>>): unknown {
  return resource === undefined ? part : { ...part, resourceId: resource };
}

/** Dashboards with their parameters and panels, in their order. */
export const dashboardsPart = readingPart<DashboardInput, StoredDashboard>({
  name: "dashboards",
  kind: "dashboard",
  noun: "dashboard",
  schema: schema as z.ZodType<DashboardInput>,
  plain: {
    ...{ description: "", icon: null, position: 0, refreshSeconds: null, roles: [] },
    ...{ parameters: [], panels: [] },
  },
  write: ({ description, icon, position, refreshSeconds, roleIds, parameters, panels }) => ({
    ...{ description, icon, position, refreshSeconds, roles: roleIds },
    parameters: parameters.map(writeParameter),
    panels: panels.map(writePanel),
  }),
  records: dashboardRecords,
  current: currentDashboard,
  map: (dashboard, names) => ({
    ...dashboard,
    roleIds: dashboard.roleIds.map((id) => names.role(id) ?? id),
    parameters: dashboard.parameters.map(
      (parameter): Parameter =>
        parameter.kind === "PERIOD" ? parameter : withResource(parameter, names),
    ),
    panels: dashboard.panels.map((panel) => withResource(panel, names)),
  }),
  resources: (dashboard) => {
    const used = (key: "parameters" | "panels") =>
      dashboard[key].flatMap((part, index) => {
        const resource = "resourceId" in part ? part.resourceId : null;
        return resource === null ? [] : [{ key: resource, place: [key, index, "resource"] }];
      });
    return [...used("parameters"), ...used("panels")];
  },
  columns: columnsOfDashboard,
  requireValid: requireValidDashboard,
  faultsOfChange: () => [],
});

function withResource<Part extends { readonly resourceId: string | null }>(
  part: Part,
  { resource }: ReadingNames,
): Part {
  const { resourceId } = part;
  return { ...part, resourceId: resourceId && (resource(resourceId) ?? resourceId) };
}

function writeParameter(parameter: Parameter): unknown {
  const { name, label, kind } = parameter;
  const fallback = parameter.default === null ? {} : { default: parameter.default };
  if (parameter.kind === "PERIOD") return { name, label, kind, ...fallback };
  const { resourceId, field } = parameter;
  return {
    ...{ name, label, kind },
    ...(resourceId === null ? {} : { resource: resourceId }),
    ...(field === null ? {} : { field }),
    ...(parameter.kind === "VALUE" && parameter.multiple ? { multiple: true } : {}),
    ...fallback,
  };
}

function writePanel(panel: Panel): unknown {
  const { id, title, kind, resourceId, layout, bindings, definition, presentation } = panel;
  return {
    ...{ id, kind },
    ...(title === "" ? {} : { title }),
    ...(kind === "TEXT" ? {} : { resource: resourceId }),
    layout,
    ...(bindings.length === 0 ? {} : { bindings }),
    definition,
    ...(isDeepStrictEqual(presentation, plainPresentations[kind]) ? {} : { presentation }),
  };
}
