import { readUnifiedDiff } from "@rowhouse/wire";
import { useMemo } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { PaneSection } from "../changes/change-lists.tsx";
import type { PlanStep } from "./configuration-queries.ts";
import { FileDiff, LineCounts } from "./file-diff.tsx";

type Change = PlanStep["changes"][number];

/** The values that a step changes: those of a line before and after, and the changed lines of longer ones. */
export function StepChanges({ step: { changes, moreChanges } }: { readonly step: PlanStep }) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  return (
    <PaneSection title={t("changes")}>
      <ul className="grid gap-1.5">
        {changes.map((change) => (
          <li key={change.field} className="min-w-0">
            {change.diff === null ? (
              <ShortChange change={change} />
            ) : (
              <LongChange change={change} diff={change.diff} />
            )}
          </li>
        ))}
        {moreChanges > 0 && (
          <li>{t("moreChanges", { count: moreChanges, number: format.number(moreChanges) })}</li>
        )}
      </ul>
    </PaneSection>
  );
}

/** Values as JSON. */
function ShortChange({ change: { field, before, after } }: { readonly change: Change }) {
  return (
    <span className="wrap-anywhere">
      <bdi className="text-ink-2">{field}</bdi>{" "}
      {before !== null && (
        <del className="font-mono text-2 text-danger">
          <bdi>{before}</bdi>
        </del>
      )}{" "}
      {after !== null && (
        <ins className="font-mono text-2 text-ok no-underline">
          <bdi>{after}</bdi>
        </ins>
      )}
    </span>
  );
}

interface LongChangeProps {
  readonly change: Change;
  readonly diff: string;
}

function LongChange({ change: { field, leftOut }, diff: text }: LongChangeProps) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  const diff = useMemo(() => readUnifiedDiff(text), [text]);
  return (
    <div className="overflow-hidden rounded-control border border-line bg-surface">
      <div className="flex items-baseline border-line border-b px-3 py-1.5">
        <bdi className="min-w-0 text-ink-2 wrap-anywhere">{field === "" ? t("whole") : field}</bdi>
        <LineCounts diff={diff} />
      </div>
      <FileDiff diff={diff} label={field === "" ? t("whole") : field} />
      {leftOut > 0 && (
        <p className="border-line border-t px-3 py-1.5 text-ink-2">
          {t("moreCharacters", { count: leftOut, number: format.number(leftOut) })}
        </p>
      )}
    </div>
  );
}
