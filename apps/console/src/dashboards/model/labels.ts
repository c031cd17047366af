import { wordsOfPath } from "../../shell/names.ts";
import type { AggregateTerm, GroupTerm, PanelField } from "./open-panel.ts";
import type { PanelWays } from "./panel-ways.ts";

/** The name of a field for people. */
export function labelOfField({ name, label, dataType }: PanelField): string {
  return label ?? wordsOfPath(name, dataType);
}

function titleOf(name: string, fields: readonly PanelField[]): string {
  const field = fields.find((one) => one.name === name);
  return field === undefined ? name : labelOfField(field);
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
