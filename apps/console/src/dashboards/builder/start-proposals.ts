import { type Field, usualNumber, usualTime } from "./fields.ts";
import type { Proposal } from "./proposal.ts";
import { type Facts, propose } from "./propose.ts";

/** Columns of the list of latest rows. */
const listedMax = 6;

/**
 * Returns the panels with which a board of a resource may begin: its rows as a figure and over time, the rows by a few
 * categories, the sum of its usual number, and the latest rows.
 */
export function startProposals(fields: readonly Field[], facts: Facts): readonly Proposal[] {
  const own = fields.filter(({ isOwn }) => isOwn);
  const time = usualTime(own);
  const number = usualNumber(own);
  const categories = own
    .filter(({ role }) => role === "CATEGORY")
    .sort((one, other) => rank(one, facts) - rank(other, facts))
    .filter((field) => rank(field, facts) <= 60)
    .slice(0, 2);
  const timed = time === undefined ? [] : [time];
  const best = (chosen: readonly Field[], kind: Proposal["content"]["kind"]) =>
    propose(chosen, facts).find(({ content }) => content.kind === kind) ?? [];
  const listed = [...timed, ...own.filter((field) => field !== time && field.role !== "OTHER")];
  return [
    best(timed, "FIGURE"),
    number === undefined ? [] : best([...timed, number], "FIGURE"),
    time === undefined ? [] : best(timed, "CHART"),
    ...categories.map((category) => best([category], "CHART")),
    number === undefined || time === undefined ? [] : best([time, number], "CHART"),
    listed.length === 0 ? [] : best(listed.slice(0, listedMax), "LIST"),
  ].flat();
}

/** The number of values; a text of unknown ones comes last. */
function rank(field: Field, { distinct }: Facts): number {
  const known = distinct.get(field.path) ?? field.column.values?.length;
  if (known !== undefined) return known <= 1 ? 59 : known;
  return field.column.baseType === "boolean" ? 2 : 60;
}
