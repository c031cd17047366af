import { useFormatter, useTranslations } from "use-intl";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { titleOf } from "../model/resource.ts";
import type { FileFault } from "./import-faults.ts";

/** The faults of a file, each with the text of its line. */
export function FaultTable({
  faults,
  count,
  columns,
}: {
  readonly faults: readonly FileFault[];
  readonly count: number;
  readonly columns: readonly Pick<NavigationColumn, "name" | "label">[];
}) {
  const t = useTranslations("transfer");
  const format = useFormatter();
  return (
    <section aria-label={t("faults", { count })} className="grid min-w-0 gap-2">
      <Notice kind="danger">{t("faults", { count })}</Notice>
      {count > faults.length && (
        <p className="text-2 text-ink-2">{t("firstFaults", { count: faults.length })}</p>
      )}
      <ol className="grid gap-2">
        {faults.map(({ line, column, message, text }) => {
          const known = columns.find(({ name }) => name === column);
          return (
            <li
              key={`${line} ${column} ${message}`}
              className="grid gap-0.5 border-line border-b pb-2"
            >
              <p className="flex flex-wrap gap-x-3">
                {line !== undefined && (
                  <span className="font-medium tabular-nums">
                    {t("line", { line: format.number(line) })}
                  </span>
                )}
                {column !== undefined && (
                  <span dir="auto">{known === undefined ? column : titleOf(known)}</span>
                )}
                <span className="min-w-0 text-danger wrap-anywhere">{message}</span>
              </p>
              {text !== undefined && (
                <code className="truncate font-mono text-1 text-ink-2" dir="auto">
                  {text.slice(0, 500)}
                </code>
              )}
            </li>
          );
        })}
      </ol>
      <p className="text-2 text-ink-2">{t("mend")}</p>
    </section>
  );
}
