import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { useFaultText } from "../model/fault-text.ts";
import { titleOf } from "../model/resource.ts";
import type { FileFault } from "./import-faults.ts";

interface FileFieldProps {
  readonly label: string;
  readonly hint: string;
  /** The endings of the files that it takes, as `accept` has them. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** Takes a file by a choice or by dropping it. */
export function FileField({ label, hint, accept, onFile }: FileFieldProps) {
  const id = useId();
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        // The same file can be chosen again after it was mended.
        onClick={(event) => {
          event.currentTarget.value = "";
        }}
        onChange={(event) => take(event.target.files)}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files);
        }}
        onDragOver={(event) => event.preventDefault()}
        className="w-full min-w-0 rounded-control border border-line-strong border-dashed bg-sunken p-3"
      />
      <p id={`${id}-hint`} className="text-2 text-ink-2">
        {hint}
      </p>
    </div>
  );
}

/** How much of a file is sent, and then what the service does with its rows. */
export function ImportProgress(props: {
  /** From 0 to 1, when all of it is sent. */
  readonly part: number;
  /** Whether the rows are checked only. */
  readonly isCheck: boolean;
}) {
  const t = useTranslations("transfer");
  const format = useFormatter();
  const { part, isCheck } = props;
  const label = t(part < 1 ? "uploading" : isCheck ? "checking" : "writing");
  return (
    <div className="grid gap-2">
      <p role="status">{label}</p>
      <ProgressBar label={label} part={part < 1 ? part : undefined} />
      <p className="text-2 text-ink-2 tabular-nums">{format.number(part, { style: "percent" })}</p>
    </div>
  );
}

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
  const textOf = useFaultText();
  return (
    <section aria-label={t("faults", { count })} className="grid min-w-0 gap-2">
      <Notice kind="danger">{t("faults", { count })}</Notice>
      {count > faults.length && (
        <p className="text-2 text-ink-2">{t("firstFaults", { count: faults.length })}</p>
      )}
      <ol className="grid gap-2">
        {faults.map(({ place, column, message, fault }) => {
          const known = columns.find(({ name }) => name === column);
          return (
            <li
              key={`${place?.line} ${column} ${message}`}
              className="grid gap-0.5 border-line border-b pb-2"
            >
              <p className="flex flex-wrap gap-x-3">
                {place !== undefined && (
                  <span className="font-medium tabular-nums">
                    {t("line", { line: format.number(place.line) })}
                  </span>
                )}
                {column !== undefined && (
                  <span dir="auto">{known === undefined ? column : titleOf(known)}</span>
                )}
                <span className="min-w-0 text-danger wrap-anywhere">
                  {fault === undefined ? message : textOf(fault, columns)}
                </span>
              </p>
              {place !== undefined && (
                <code className="truncate font-mono text-1 text-ink-2" dir="auto">
                  {place.text.slice(0, 500)}
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
