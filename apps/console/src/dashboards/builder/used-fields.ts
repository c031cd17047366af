import { readName } from "@rowhouse/access/written-name";
import type { PanelContentParts } from "./draft.ts";
import { readAggregate, readGroup } from "./terms.ts";

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
