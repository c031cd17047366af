import { useMemo } from "react";
import { useTranslations } from "use-intl";
import type { ChartData } from "../model/chart-data.ts";
import { type ChartFacts, chartFacts } from "../model/chart-facts.ts";
import { amountText, type PanelWays } from "../model/panel-ways.ts";

/** Letters of a place in a sentence; the table has all of them. */
const placeMax = 40;

interface ChartSentenceProps {
  readonly data: ChartData;
  readonly ways: PanelWays;
}

/** Says in words what a chart shows. */
export function ChartSentence({ data, ways }: ChartSentenceProps) {
  const sentence = useChartSentence(data, ways);
  return (
    <p dir="auto" title={sentence} className="line-clamp-2 wrap-anywhere print:line-clamp-none">
      {sentence}
    </p>
  );
}

/** Returns the sentence that says what a chart shows. */
function useChartSentence(data: ChartData, ways: PanelWays): string {
  const t = useTranslations("panels.facts");
  const facts = useMemo(() => chartFacts(data), [data]);
  if (facts.length === 0) return t("empty");
  if (facts.length === 1) return facts.map(sentence).join("");
  return facts.map((fact) => t("named", { name: fact.name, facts: sentence(fact) })).join(" ");

  function sentence({ column, count, highest, lowest, total }: ChartFacts): string {
    const amount = (value: unknown) => amountText(column, value, ways);
    if (count === 1) return t("one", { where: short(highest.where), value: amount(highest.value) });
    if (String(highest.value) === String(lowest.value)) {
      return t("same", { count, value: amount(highest.value) });
    }
    const ends = {
      ...{ highest: short(highest.where), most: amount(highest.value) },
      ...{ lowest: short(lowest.where), least: amount(lowest.value) },
    };
    return total === undefined
      ? t("some", ends)
      : t("withTotal", { ...ends, total: amount(total) });
  }
}

function short(place: string): string {
  return place.length > placeMax ? `${place.slice(0, placeMax)}…` : place;
}
