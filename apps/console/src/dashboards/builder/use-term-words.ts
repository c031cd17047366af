import { useTranslations } from "use-intl";
import type { PanelContentParts } from "./draft.ts";
import type { Field } from "./fields.ts";
import type { Proposal } from "./proposal.ts";
import { aggregateName, groupName, readAggregate, readGroup } from "./terms.ts";

/** Names terms and proposals as people read them. */
export function useTermWords(fields: readonly Field[]) {
  const t = useTranslations("dashboardBuilder");
  const labelOf = (path: string) => fields.find((field) => field.path === path)?.label ?? path;
  const aggregateText = (term: string): string => {
    const read = readAggregate(term);
    if (read === undefined) return term;
    const { apply, field } = read;
    return field === null ? t("rows") : t(`aggregates.${apply}`, { name: labelOf(field) });
  };
  const groupText = (term: string): string => {
    const read = readGroup(term);
    if (read === undefined) return term;
    const name = labelOf(read.field);
    return read.unit === null ? name : t("byUnit", { name, unit: t(`units.${read.unit}`) });
  };
  return {
    labelOf,
    aggregateText,
    groupText,
    /** The results and groups of a panel by their names in its rows. */
    resultTexts: (content: PanelContentParts): readonly { name: string; label: string }[] => {
      if (content.kind !== "CHART") return [];
      const { aggregate, groupBy } = content.definition;
      return [
        ...groupBy.map((term) => ({ name: groupName(term), label: groupText(term) })),
        ...aggregate.map((term) => ({ name: aggregateName(term), label: aggregateText(term) })),
      ].flatMap(({ name, label }) => (name === undefined ? [] : [{ name, label }]));
    },
    /** What a proposal shows, as the title of its panel. */
    titleOf: ({ content, by }: Proposal, table: string): string => {
      if (content.kind === "TEXT") return "";
      if (content.kind === "LIST") return t("titles.list", { table });
      const first = content.definition.aggregate[0] ?? "";
      const isRows = readAggregate(first)?.field === null;
      const what = isRows ? t("titles.rows", { table }) : aggregateText(first);
      const groups = by.map(({ field, unit }) =>
        unit === null ? field.label : t("byUnit", { name: field.label, unit: t(`units.${unit}`) }),
      );
      if (groups.length === 0) return what;
      return t("titles.by", { what, by: groups.join(", ") });
    },
    /** The kind or form of a panel. */
    formText: ({ kind, presentation }: PanelContentParts): string =>
      kind === "CHART" ? t(`forms.${presentation.chart}`) : t(`kinds.${kind}`),
  };
}
