import { useTranslations } from "use-intl";
import { ErrorBlock } from "../run-tree/error-block.tsx";
import { PanelTitle } from "../run-tree/panel-part.tsx";
import type { Run } from "../run-tree/run-queries.ts";
import type { RunRow } from "../run-tree/run-rows.ts";
import { ValuePart } from "../run-tree/value-part.tsx";
import { RunFacts } from "./run-facts.tsx";
import { StepPanel } from "./step-panel.tsx";

interface RunPanelProps {
  readonly run: Run;
  readonly row: RunRow | undefined;
  /** The run that the step is compared with. */
  readonly compared: string | undefined;
  readonly onCompare: (runId: string | undefined) => void;
}

/** What is known of the chosen row: a step, an item of a loop, the start of the run or its end. */
export function RunPanel({ run, row, compared, onCompare }: RunPanelProps) {
  const t = useTranslations("workflows");
  if (row === undefined) return <p className="p-4 text-ink-2">{t("notInRun")}</p>;
  if (row.type === "start") {
    return (
      <>
        <PanelTitle>{t("start")}</PanelTitle>
        <RunFacts run={run} />
        <ValuePart title={t("input")} value={run.input} />
      </>
    );
  }
  if (row.type === "end") {
    return (
      <>
        <PanelTitle>{t("end")}</PanelTitle>
        {run.error !== null && <ErrorBlock error={run.error} />}
        <ValuePart title={t("result")} value={run.result} />
      </>
    );
  }
  if (row.type === "item") {
    return (
      <>
        <PanelTitle>{t("item", { number: row.item.index })}</PanelTitle>
        <p className="p-4 text-ink-2">{t("itemText")}</p>
      </>
    );
  }
  return (
    <StepPanel
      key={row.key}
      run={run}
      path={row.key}
      step={row.step}
      record={row.record}
      compared={compared}
      onCompare={onCompare}
    />
  );
}
