import { readName } from "@rowhouse/access/written-name";
import type { ListPanel, Panel, PanelContentParts, PanelKind } from "./draft.ts";
import { type Field, usualTime } from "./fields.ts";
import type { Proposal } from "./proposal.ts";
import { type Facts, propose } from "./propose.ts";
import { readAggregate, readGroup } from "./terms.ts";

/** Returns the content of a panel without its filter, as proposals are. */
export function proposedPart(panel: Panel): PanelContentParts {
  const { kind, definition, presentation } = panel;
  if (kind === "TEXT") return { kind, definition, presentation };
  const { where: _, ...rest } = definition;
  return { kind, definition: rest, presentation } as PanelContentParts;
}

/** Returns the panel with other content. It keeps its filter, its place and its bindings. */
export function withContent(panel: Panel, content: PanelContentParts): Panel {
  const where = panel.kind === "TEXT" ? undefined : panel.definition.where;
  const definition =
    content.kind === "TEXT" || where === undefined
      ? content.definition
      : { ...content.definition, where };
  return { ...panel, ...content, definition } as Panel;
}

/** Returns the proposals for the columns that a panel is about. */
export function proposalsFor(
  panel: Panel,
  fields: readonly Field[],
  facts: Facts,
): readonly Proposal[] {
  return propose(fieldsAt(usedPaths(panel), fields), facts);
}

/**
 * Returns the panel after other columns were chosen: the best proposal, or for a panel that was set up by hand or by
 * another proposal, the best one of the same kind and form.
 */
export function withColumns(
  panel: Panel,
  paths: readonly string[],
  fields: readonly Field[],
  facts: Facts,
): Panel {
  const present = proposedPart(panel);
  const before = proposalsFor(panel, fields, facts);
  const first = before[0];
  const isBest = first !== undefined && isSameContent(first.content, present);
  const next = propose(fieldsAt(paths, fields), facts).map(({ content }) => content);
  const isEmpty = usedPaths(panel).length === 0;
  const same = isBest
    ? undefined
    : (next.find((content) => !isEmpty && isSameForm(content, present)) ??
      next.find(({ kind }) => kind === panel.kind));
  const content = same ?? next[0];
  return content === undefined ? panel : withContent(panel, content);
}

/** Returns the panel as another kind, about the same columns as far as that is possible. */
export function withKind(
  panel: Panel,
  kind: PanelKind,
  fields: readonly Field[],
  facts: Facts,
): Panel {
  if (kind === panel.kind) return panel;
  if (kind === "TEXT") {
    const content = { kind, definition: { markdown: "" }, presentation: { version: 1 } } as const;
    return { ...panel, ...content, resourceId: null, bindings: [] };
  }
  const found = proposalsFor(panel, fields, facts).find(({ content }) => content.kind === kind);
  return withContent(panel, found?.content ?? firstContent(kind, fields, facts));
}

/** Returns the content with which a panel of a kind begins. */
export function firstContent(
  kind: PanelKind,
  fields: readonly Field[],
  facts: Facts,
): PanelContentParts {
  const own = fields.filter(({ isOwn }) => isOwn);
  const time = usualTime(own);
  const category = own.find(({ role }) => role === "CATEGORY");
  const about = (chosen: readonly (Field | undefined)[]) =>
    propose(
      chosen.filter((field) => field !== undefined),
      facts,
    ).find(({ content }) => content.kind === kind)?.content;
  switch (kind) {
    case "TEXT":
      return { kind, definition: { markdown: "" }, presentation: { version: 1 } };
    case "FIGURE":
      return (
        about([]) ?? {
          kind,
          definition: { aggregate: ["count(*)"] },
          presentation: { version: 1 },
        }
      );
    case "CHART":
      return (
        (time === undefined && category === undefined ? undefined : about([time ?? category])) ?? {
          kind,
          definition: { aggregate: ["count(*)"], groupBy: [] },
          presentation: { version: 1, chart: "bar" },
        }
      );
    case "PIVOT":
      return (
        (category === undefined ? undefined : about([time, category])) ?? {
          kind,
          definition: { aggregate: ["count(*)"], rows: [], columns: [] },
          presentation: { version: 1, totals: true },
        }
      );
    case "LIST":
      return emptyList;
  }
}

const emptyList: PanelContentParts = {
  kind: "LIST",
  definition: { fields: null, limit: 20 },
  presentation: { version: 1, layout: "table", columns: [] } satisfies ListPanel["presentation"],
};

function isSameForm(one: PanelContentParts, other: PanelContentParts): boolean {
  if (one.kind !== "CHART" || other.kind !== "CHART") return one.kind === other.kind;
  return one.presentation.chart === other.presentation.chart;
}

function fieldsAt(paths: readonly string[], fields: readonly Field[]): readonly Field[] {
  return paths.flatMap((path) => fields.find((field) => field.path === path) ?? []);
}

/** Whether two contents read and show the same. */
export function isSameContent(one: PanelContentParts, other: PanelContentParts): boolean {
  const text = ({ kind, definition, presentation }: PanelContentParts) =>
    JSON.stringify([kind, definition, presentation]);
  return text(one) === text(other);
}

/** Returns the paths of the fields that a panel has in its groups, results or columns, in this order. */
export function usedPaths(content: PanelContentParts): readonly string[] {
  if (content.kind === "TEXT") return [];
  if (content.kind === "LIST") return (content.definition.fields ?? []).map(readName);
  const { aggregate } = content.definition;
  const found = [
    ...groupsOf(content).flatMap((term) => readGroup(term)?.field ?? []),
    ...aggregate.flatMap((term) => readAggregate(term)?.field ?? []),
  ];
  return [...new Set(found)];
}

function groupsOf(content: PanelContentParts): readonly string[] {
  if (content.kind === "CHART") return content.definition.groupBy;
  return content.kind === "PIVOT"
    ? [...content.definition.rows, ...content.definition.columns]
    : [];
}
