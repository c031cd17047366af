import { useSyncExternalStore } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { fileSize } from "../../ui/file-size.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { type RunningExport, runningExports } from "./running-exports.ts";

/** The exports that run or have failed, over a corner of the page. */
export function ExportProgress() {
  const all = useSyncExternalStore(runningExports.subscribe, runningExports.all);
  if (all.length === 0) return null;
  return (
    <ul className="fixed inset-x-2 bottom-10 z-20 grid gap-2 sm:left-auto sm:w-90">
      {all.map((one) => (
        <Item key={one.id} item={one} />
      ))}
    </ul>
  );
}

function Item({ item }: { readonly item: RunningExport }) {
  const t = useTranslations("transfer");
  const format = useFormatter();
  const describe = useFailureText();
  const { number, options } = fileSize(item.bytes);
  const hasFailed = item.error !== undefined;
  const rows = format.number(item.rows);
  return (
    <li className="grid gap-2 rounded-panel border border-line-strong bg-surface p-3">
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">
          {t(hasFailed ? "exportFailed" : "exporting", { name: item.title })}
        </p>
        <div className="-mt-0.5 -mr-1">
          <IconButton
            label={t(hasFailed ? "dismiss" : "cancelExport", { name: item.title })}
            icon={X}
            isSmall
            onPress={() => runningExports.cancel(item.id)}
          />
        </div>
      </div>
      {hasFailed ? (
        <p role="alert" className="text-danger wrap-anywhere">
          {describe(item.error)}
        </p>
      ) : (
        <>
          <ProgressBar
            label={t("exporting", { name: item.title })}
            part={item.count === undefined ? undefined : item.rows / Math.max(1, item.count)}
          />
          <p className="text-2 text-ink-2 tabular-nums">
            {item.count === undefined
              ? t("rowsSoFar", { rows, size: format.number(number, options) })
              : t("rowsOfAll", {
                  ...{ rows, size: format.number(number, options) },
                  all: format.number(item.count),
                })}
          </p>
        </>
      )}
    </li>
  );
}
