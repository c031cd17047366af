import { readBuckets, readZone, withinSight } from "@rowhouse/data";
import { AppError, createError } from "@rowhouse/errors";
import { type ColumnPresenter, loadColumnPresenter } from "@rowhouse/permissions";
import { writeExactJson } from "@rowhouse/wire";
import { fieldOf, resourceRef } from "../open/presenter.ts";
import type { Reader } from "../open/reader.ts";
import { requireMeaning } from "../open/reader-errors.ts";
import { visiblePresentation } from "../presentation/map-presentation.ts";
import { readPresentation } from "../presentation/presentation.ts";
import type { Dashboard, Panel } from "../schemas/dashboard-schemas.ts";
import { listReadingOf } from "../schemas/panel-definition.ts";
import { type Gap, type PanelContent, type PanelReader, readPanel } from "./open-panel.ts";
import { type OpenParameter, type OpenParameters, openParameters } from "./read-parameters.ts";
import { Readings } from "./readings.ts";

/** The stored part of an open dashboard. */
export type DashboardHead = Pick<
  Dashboard,
  "id" | "name" | "description" | "icon" | "refreshSeconds" | "parameters" | "panels" | "lost"
>;

/** Receives an unexpected error of one panel. */
export type ReportPanel = (error: unknown) => void;

/** A dashboard for one reader with the values of its parameters. */
export interface OpenedDashboard {
  readonly dashboard: DashboardHead;
  readonly reader: Reader;
  readonly timeZone: string;
  readonly parameters: OpenParameters;
}

/**
 * Determines time zone and parameters of a dashboard for a reader.
 *
 * @param given values of parameters by name
 * @throws AppError QUERY_INVALID for a value of a parameter, and for a time zone
 */
export async function openDashboard(
  dashboard: DashboardHead,
  given: ReadonlyMap<string, unknown>,
  reader: Reader,
): Promise<OpenedDashboard> {
  const { database, snapshot, principal } = reader;
  const timeZone = await readZone(database, snapshot, principal.userId, reader.timeZone);
  const parameters = await openParameters(dashboard.parameters, given, timeZone, {
    database,
    snapshot,
    principal,
  });
  return { dashboard, reader, timeZone, parameters };
}

/**
 * Returns the body of an open dashboard as JSON.
 *
 * @param withRows false for the panels without their content
 */
export async function renderDashboard(
  opened: OpenedDashboard,
  withRows: boolean,
  report: ReportPanel,
): Promise<string> {
  const { dashboard, timeZone, parameters } = opened;
  const { id, name, description, icon, refreshSeconds, panels } = dashboard;
  const shown = [...parameters.values()].filter(({ isVisible }) => isVisible).map(parameterOf);
  const head = writeExactJson({
    ...{ id, name, description, icon, refreshSeconds, timeZone },
    parameters: shown,
  });
  const texts = withRows
    ? await renderPanels(panels, opened, report)
    : panels.map((panel) => writeExactJson({ ...headOf(panel, opened.reader), meta: now() }));
  return `{"data":${head.slice(0, -1)},"panels":[${texts.join(",")}]}}`;
}

/**
 * Returns the body of one panel of an open dashboard as JSON.
 *
 * @throws AppError NOT_FOUND for a panel that the dashboard does not have
 */
export async function renderPanel(
  opened: OpenedDashboard,
  panelId: string,
  report: ReportPanel,
): Promise<string> {
  const [text] = await renderPanels([panelOf(opened.dashboard, panelId)], opened, report);
  return `{"data":${text}}`;
}

/** @throws AppError NOT_FOUND for a panel that the dashboard does not have */
export function panelOf({ panels }: Pick<Dashboard, "panels">, id: string): Panel {
  const panel = panels.find((item) => item.id === id);
  if (panel === undefined) throw createError("NOT_FOUND");
  return panel;
}

/** Returns what the filters of a panel have lost. */
export function lostIn({ lost }: Pick<Dashboard, "lost">, { id }: Pick<Panel, "id">) {
  return lost.filter(({ panel }) => panel === id);
}

async function renderPanels(
  panels: readonly Panel[],
  { dashboard, reader, parameters, timeZone }: OpenedDashboard,
  report: ReportPanel,
): Promise<string[]> {
  const { database, snapshot } = reader;
  const relations = panels.flatMap(({ resourceId }) =>
    resourceId === null ? [] : (snapshot.catalogue.relationByResource(resourceId) ?? []),
  );
  const present = await loadColumnPresenter(database, snapshot, relations);
  const context: PanelReader = { reader, parameters, readings: new Readings(reader) };
  const contents = await Promise.all(
    panels.map((panel) => contentOf(panel, lostIn(dashboard, panel), context, report)),
  );
  const gaps = contents.flatMap((content) =>
    content !== null && "gap" in content ? (content.gap ?? []) : [],
  );
  const buckets = await readBuckets(
    database,
    timeZone,
    gaps.map(({ range }) => range),
  );
  const bucketsOf = new Map<Gap, readonly string[]>(
    gaps.map((gap, index) => [gap, buckets[index] ?? []]),
  );
  return panels.map((panel, index) => {
    return textOf(panel, contents[index] ?? null, { reader, present, bucketsOf });
  });
}

/** Why a panel has no content. */
interface PanelError {
  readonly error: { readonly code: string; readonly message: string };
}

/** Errors of the request, which fail the whole of it. */
const ofRequest: ReadonlySet<string> = new Set(["AUTHENTICATION_REQUIRED"]);

/** Reads the content of a panel; null for a text. An error of one panel leaves the others their content. */
async function contentOf(
  panel: Panel,
  lost: Dashboard["lost"],
  context: PanelReader,
  report: ReportPanel,
): Promise<PanelContent | PanelError | null> {
  if (panel.kind === "TEXT") return null;
  try {
    requireMeaning(lost);
    return await readPanel(panel, context);
  } catch (error) {
    const known = error instanceof AppError ? error : undefined;
    if (known !== undefined && ofRequest.has(known.code)) throw error;
    if (known === undefined || known.code === "INTERNAL_ERROR") report(error);
    const { code, message } = (known ?? createError("INTERNAL_ERROR", { cause: error })).faults[0];
    return { error: { code, message } };
  }
}

interface TextParts {
  readonly reader: Reader;
  readonly present: ColumnPresenter;
  readonly bucketsOf: ReadonlyMap<Gap, readonly string[]>;
}

function textOf(
  panel: Panel,
  content: PanelContent | PanelError | null,
  { reader, present, bucketsOf }: TextParts,
): string {
  const head = headOf(panel, reader);
  if (content === null) return writeExactJson({ ...head, meta: now() });
  if ("error" in content) {
    return writeExactJson({ ...head, error: content.error, meta: now() });
  }
  const { members, fields, titles, asOf, gap, listed } = content;
  const relation = reader.snapshot.catalogue.relationByResource(panel.resourceId ?? "");
  const text = writeExactJson({
    ...head,
    ...(relation === undefined ? {} : { resource: resourceRef(relation) }),
    ...members,
    ...(gap === null ? {} : gap.fill(bucketsOf.get(gap) ?? [])),
    fields: fields.map((field) => fieldOf(field, present, titles.get(field.path))),
    meta: { asOf },
  });
  // The rows of a list are the JSON of PostgreSQL with every digit.
  return listed === null ? text : `${text.slice(0, -1)},"rows":${listed}}`;
}

function now(): { readonly asOf: string } {
  return { asOf: new Date().toISOString() };
}

/** What everybody who may open the dashboard sees of a panel. */
function headOf(panel: Panel, reader: Reader): Readonly<Record<string, unknown>> {
  const { id, title, kind, layout, definition } = panel;
  const presentation = kind === "LIST" ? presentationOfList(panel, reader) : panel.presentation;
  const markdown = kind === "TEXT" ? { markdown: definition.markdown ?? "" } : {};
  return { id, title, kind, layout, presentation, ...markdown };
}

/** A list's columns, without those that the reader may not see. */
function presentationOfList(panel: Panel, { snapshot, principal }: Reader): object {
  const relation = snapshot.catalogue.relationByResource(panel.resourceId ?? "");
  const seen = relation && withinSight(listReadingOf(panel), relation, snapshot, principal);
  const paths = new Set(seen?.fields.map(({ path }) => path));
  const { presentation } = panel;
  return visiblePresentation(readPresentation(presentation), (path) => paths.has(path));
}

function parameterOf(parameter: OpenParameter): Readonly<Record<string, unknown>> {
  const { name, label, kind } = parameter;
  const common = { name, label, kind, multiple: false };
  switch (kind) {
    case "PERIOD": {
      const { value, period } = parameter;
      const days = period === null ? {} : { from: period.from.date, until: period.until.date };
      return { ...common, value, ...days };
    }
    case "PERSON":
      return { ...common, value: parameter.userId };
    case "VALUE": {
      const { values, multiple } = parameter;
      return { ...common, multiple, value: multiple ? values : (values?.[0] ?? null) };
    }
    default:
      return parameter satisfies never;
  }
}
