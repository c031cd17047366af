import { useTranslations } from "use-intl";
import { Select } from "../ui/select.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import type { Runner } from "./use-run.ts";

const rowChoices = ["", "100", "10000"] as const;
const timeChoices = ["", "60000"] as const;

/** The limits of a run; empty for those of the service. */
export interface RunLimits {
  readonly rows: (typeof rowChoices)[number];
  readonly time: (typeof timeChoices)[number];
}

interface SqlToolbarProps {
  readonly runner: Runner;
  readonly hasSelection: boolean;
  readonly limits: RunLimits;
  readonly onLimits: (limits: RunLimits) => void;
  readonly onRun: () => void;
  readonly onExplain: () => void;
  readonly onHistory: () => void;
  readonly onSaved: () => void;
}

/** Below the editor: run, cancel, explain, limits, and the statements that were kept. */
export function SqlToolbar(props: SqlToolbarProps) {
  const t = useTranslations("sql");
  const { runner, limits, onLimits } = props;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {runner.isRunning ? (
        <ToolButton kind="danger" aria-disabled={runner.isCancelling} onClick={runner.cancel}>
          {t(runner.isCancelling ? "cancelling" : "cancelRun")}
        </ToolButton>
      ) : (
        <ToolButton kind="primary" onClick={props.onRun}>
          {t(props.hasSelection ? "runSelection" : "run")}
        </ToolButton>
      )}
      <ToolButton disabled={runner.isRunning} onClick={props.onExplain}>
        {t("explain")}
      </ToolButton>
      <ToolButton onClick={props.onHistory}>{t("history")}</ToolButton>
      <ToolButton onClick={props.onSaved}>{t("saved")}</ToolButton>
      <div className="flex flex-wrap gap-x-4 gap-y-2 sm:ml-auto">
        <Select
          label={t("rowLimit")}
          value={limits.rows}
          options={rowChoices.map((value) => ({
            value,
            label: value === "" ? t("usual") : t("rowsMax", { count: Number(value) }),
          }))}
          onChange={(rows) => onLimits({ ...limits, rows })}
        />
        <Select
          label={t("timeLimit")}
          value={limits.time}
          options={timeChoices.map((value) => ({
            value,
            label: value === "" ? t("usual") : t("seconds", { count: Number(value) / 1000 }),
          }))}
          onChange={(time) => onLimits({ ...limits, time })}
        />
      </div>
    </div>
  );
}
