import { writeJson } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { isJsonObject } from "../model/definition.ts";
import { PanelPart } from "../run-tree/panel-part.tsx";
import type { Run, RunStep } from "../run-tree/run-queries.ts";

const valuesMax = 30;
/** Characters of a value. */
const shownMax = 120;

/** What the templates of a step could name, with the values of this run. */
export function VisibleValues({ run, record }: { readonly run: Run; readonly record: RunStep }) {
  const t = useTranslations("workflows");
  const values = visibleValues(run, record);
  if (values.length === 0) return null;
  return (
    <PanelPart title={t("visible")}>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-1 rounded-panel border border-line bg-surface p-3 font-mono text-2">
        {values.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt dir="auto" className="wrap-anywhere">
              {name}
            </dt>
            <dd dir="auto" className="truncate text-ink-2">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </PanelPart>
  );
}

/** The parts of the input, and the outputs of the steps before one in the same loops, the latest first. */
function visibleValues(
  run: Run,
  record: RunStep,
): readonly { readonly name: string; readonly value: string }[] {
  const scope = scopeOf(record.path);
  const before = run.steps.filter(
    ({ path, position, status }) =>
      status === "SUCCEEDED" && position < record.position && scope.startsWith(scopeOf(path)),
  );
  const inputs = isJsonObject(run.input) ? Object.entries(run.input) : [];
  const given: (readonly [string, unknown])[] =
    inputs.length > 0
      ? inputs.map(([key, value]) => [`start.data.${key}`, value])
      : [["start.data", run.input]];
  const outputs = before
    .toReversed()
    .map(({ path, output }) => [`steps.${path.slice(scopeOf(path).length)}`, output] as const);
  return [...outputs, ...given].slice(0, valuesMax).map(([name, value]) => {
    const text = writeJson(value ?? null);
    return { name, value: text.length > shownMax ? `${text.slice(0, shownMax)}…` : text };
  });
}

/** The loops and items around a step, with the dot behind them; empty outside of loops. */
function scopeOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}
