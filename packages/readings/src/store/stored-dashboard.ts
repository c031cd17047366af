import { type FieldNames, readPath, renameWritten } from "@rowhouse/access";
import { namesOfParts, renameParts } from "@rowhouse/data";
import type { Snapshot } from "@rowhouse/db";
import { readIcon } from "../presentation/icons.ts";
import { renamePresentation } from "../presentation/map-presentation.ts";
import { readPresentation } from "../presentation/presentation.ts";
import {
  type Dashboard,
  type DashboardInput,
  type Panel,
  type PanelDefinition,
  readPanelPresentation,
} from "../schemas/dashboard-schemas.ts";
import { definitionOf, groupTermsOf } from "../schemas/panel-definition.ts";
import type { Parameter } from "../schemas/parameter-schemas.ts";
import type { StoredDashboard } from "./dashboards.ts";
import { bindReadingColumns, currentNames, type ReadingColumn } from "./reading-columns.ts";
import { StoredMeanings } from "./stored-meanings.ts";

/** Returns a stored dashboard with the current names of its columns, and of the labels in its filters. */
export function currentDashboard(
  stored: StoredDashboard,
  { catalogue }: Pick<Snapshot, "catalogue">,
): Dashboard {
  const dashboard = namedDashboard(stored);
  const lost: LostPanelField[] = [];
  const panels = dashboard.panels.map((panel): Panel => {
    const definition = definitionOf(panel);
    const meanings = StoredMeanings.ofReading(stored.columns, panel.resourceId, catalogue);
    const where = meanings.filter(definition.where);
    if (definition.having != null) {
      // A condition on groups compares a result of one of these fields.
      const parts = { aggregate: definition.aggregate, groupBy: groupTermsOf(panel) };
      for (const field of namesOfParts(parts)) meanings.field(field, "ORDER");
    }
    for (const binding of panel.bindings) {
      const bound = dashboard.parameters.find(({ name }) => name === binding.parameter);
      // Nobody chooses the values of a default.
      const hasValues = bound?.kind === "VALUE" && bound.default !== null;
      meanings.field(readPath(binding.field), hasValues ? "EXACT" : "ORDER");
    }
    lost.push(...meanings.lost.map((field) => ({ panel: panel.id, ...field })));
    return where === definition.where ? panel : { ...panel, definition: { ...definition, where } };
  });
  return { ...dashboard, panels, lost };
}

/** A field of a panel that means something else than when the panel was saved. */
type LostPanelField = Dashboard["lost"][number];

/** Returns a stored dashboard with the current names of its columns. */
export function namedDashboard({
  columns,
  icon,
  ...stored
}: StoredDashboard): Omit<Dashboard, "lost"> {
  return {
    ...stored,
    icon: readIcon(icon),
    ...renamedBy(stored, (resourceId) => currentNames(columns, resourceId)),
  };
}

/** Returns the columns that a dashboard names, bound to their numbers. */
export function columnsOfDashboard(
  { catalogue }: Pick<Snapshot, "catalogue">,
  dashboard: Pick<DashboardInput, "parameters" | "panels">,
): ReadingColumn[] {
  const names = new Map<string, Set<string>>();
  renamedBy(dashboard, (resourceId) => (path, written) => {
    if (resourceId !== null) {
      const known = names.get(resourceId.toLowerCase()) ?? new Set();
      names.set(resourceId.toLowerCase(), known.add(written));
    }
    return path;
  });
  return [...names].flatMap(([resourceId, paths]) => {
    const relation = catalogue.relationByResource(resourceId);
    return relation === undefined ? [] : bindReadingColumns(catalogue, relation, paths);
  });
}

type Named = Pick<DashboardInput, "parameters" | "panels">;

/** Replaces the fields that a dashboard names. */
function renamedBy(
  { parameters, panels }: Named,
  namesIn: (resourceId: string | null) => FieldNames,
): Named {
  return {
    parameters: parameters.map((parameter): Parameter => {
      if (parameter.kind === "PERIOD" || parameter.field === null) return parameter;
      const field = renameWritten(parameter.field, namesIn(parameter.resourceId));
      return { ...parameter, field };
    }),
    panels: panels.map((panel) => renamePanel(panel, namesIn(panel.resourceId))),
  };
}

function renamePanel(panel: Panel, nameOf: FieldNames): Panel {
  const presentation = readPanelPresentation(panel.kind, panel.presentation);
  return {
    ...panel,
    bindings: panel.bindings.map(({ parameter, field }) => ({
      parameter,
      field: renameWritten(field, nameOf),
    })),
    definition: { ...renameDefinition(definitionOf(panel), nameOf) },
    presentation:
      panel.kind === "LIST"
        ? { ...renamePresentation(readPresentation(presentation), nameOf) }
        : presentation,
  };
}

function renameDefinition(definition: PanelDefinition, nameOf: FieldNames): PanelDefinition {
  const { rows, columns, time, ...parts } = definition;
  const groupsOf = (terms: readonly string[]) => renameParts({ groupBy: terms }, nameOf).groupBy;
  return {
    ...renameParts(parts, nameOf),
    ...(rows === undefined ? {} : { rows: groupsOf(rows) }),
    ...(columns === undefined ? {} : { columns: groupsOf(columns) }),
    ...(time === undefined ? {} : { time: { ...time, field: renameWritten(time.field, nameOf) } }),
  };
}
