import type { AggregateTerm, GroupTerm, PanelField } from "./open-panel.ts";
import type { PanelWays } from "./panel-ways.ts";

function titleOf(name: string, fields: readonly PanelField[]): string {
  return fields.find((field) => field.name === name)?.label ?? name;
}

/** Names the field of a group. */
export function labelOfGroup(term: GroupTerm, fields: readonly PanelField[]): string {
  return titleOf(term.field, fields);
}

/** Names what an aggregate computes. */
export function labelOfAggregate(
  term: AggregateTerm,
  fields: readonly PanelField[],
  ways: Pick<PanelWays, "aggregate">,
): string {
  return ways.aggregate(term.apply, term.field === null ? null : titleOf(term.field, fields));
}
