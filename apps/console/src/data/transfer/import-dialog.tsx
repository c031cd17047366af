import { booleanFormats } from "@rowhouse/wire";
import { useTranslations } from "use-intl";
import { dateFormats, hasForm, isBoolean, readCell } from "../../records/files/cell-forms.ts";
import { missingColumns } from "../../records/files/column-mapping.ts";
import { FileField } from "../../records/files/import-parts.tsx";
import type { Source } from "../../records/files/read-source.ts";
import { titleOf } from "../../records/model/resource.ts";
import { valueText } from "../../records/values/show-value.ts";
import { useWays } from "../../records/values/ways.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ImportOutcome } from "./import-outcome.tsx";
import { type Import, useImport } from "./use-import.ts";

/** Brings the rows of a file into a table: choose, map, check, run. */
export function ImportDialog({
  resource,
  onDone,
  onClose,
}: {
  readonly resource: NavigationResource;
  /** Called when rows have been written. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("transfer");
  const run = useImport(resource, onDone);
  const { source, step, mapping, columns } = run;
  const isRunning = step.name === "RUN";
  const missing = missingColumns(mapping, columns);
  const isRead = Object.values(run.forms).every((form) => form !== undefined);
  const isPossible =
    source !== null && isRead && !run.isReading && mapping.some((name) => name !== null);
  return (
    <Dialog
      title={t("importTitle", { name: titleOf(resource) })}
      closeLabel={t("close")}
      onClose={() => {
        if (isRunning) run.cancel();
        onClose();
      }}
      isWide
    >
      {step.name !== "DONE" && (
        // It stays while the import runs, because a new one would have lost the name of the file.
        <div hidden={isRunning}>
          <FileField
            label={t(source === null ? "file" : "fileAgain")}
            hint={t("fileHint")}
            accept=".csv,.tsv,.txt,.ndjson,.jsonl"
            onFile={(file) => void run.choose(file)}
          />
        </div>
      )}
      {source !== null && step.name !== "DONE" && !isRunning && (
        <>
          {source.format === "csv" && <FileForms run={run} source={source} />}
          <MappingTable run={run} source={source} />
          {missing.length > 0 && (
            <Notice kind="info">
              {t("missing", { names: missing.map(titleOf).join(", "), count: missing.length })}
            </Notice>
          )}
          {resource.primaryKey.length > 0 && <Conflict run={run} resource={resource} />}
        </>
      )}
      <ImportOutcome run={run} />
      <div className="flex flex-wrap justify-end gap-2">
        {isRunning ? (
          <ToolButton onClick={run.cancel}>{t("cancel")}</ToolButton>
        ) : step.name === "DONE" ? (
          <ToolButton kind="primary" onClick={onClose}>
            {t("close")}
          </ToolButton>
        ) : (
          <>
            <ToolButton
              kind={step.name === "CHECKED" ? "plain" : "primary"}
              disabled={!isPossible}
              onClick={() => void run.run(true)}
            >
              {t("check")}
            </ToolButton>
            {step.name === "CHECKED" && (
              <ToolButton kind="primary" disabled={!isPossible} onClick={() => void run.run(false)}>
                {t("run")}
              </ToolButton>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Conflict({
  run,
  resource,
}: {
  readonly run: Import;
  readonly resource: NavigationResource;
}) {
  const t = useTranslations("transfer");
  const { primaryKey } = resource;
  const hasKey = primaryKey.length > 0 && primaryKey.every((name) => run.mapping.includes(name));
  if (!hasKey) return null;
  const mayUpdate = resource.actions.includes("UPDATE");
  return (
    <Select
      label={t("conflict")}
      value={run.onConflict}
      options={(["refuse", "ignore", ...(mayUpdate ? (["merge"] as const) : [])] as const).map(
        (value) => ({ value, label: t(value) }),
      )}
      onChange={(onConflict) => run.change({ onConflict })}
    />
  );
}

/** Rows whose values stand beside their names. */
const previewRows = 5;

/** Which column receives the values of each name of the file, beside its first values. */
function MappingTable({ run, source }: { readonly run: Import; readonly source: Source }) {
  const t = useTranslations("transfer");
  const ways = useWays();
  const map = (index: number, name: string) =>
    run.change({
      mapping: run.mapping.map((last, at) => {
        if (at === index) return name === "" ? null : name;
        // A column receives the values of one name.
        return last === name ? null : last;
      }),
    });
  const preview = (text: string, name: string | null | undefined): string => {
    const column = run.columns.find((each) => each.name === name);
    const { dateFormat, booleanFormat, decimal } = run.forms;
    if (source.format !== "csv" || column === undefined || !hasForm(column)) return text;
    if (dateFormat === undefined || booleanFormat === undefined || decimal === undefined)
      return text;
    const value = readCell(column, text, { dateFormat, booleanFormat, decimal });
    const read = value === undefined ? t("notRead") : valueText(column, value, ways);
    return read === text ? text : `${text} → ${read}`;
  };
  const names = source.names.map((name, index) => ({ name, index }));
  return (
    <ul aria-label={t("mapping")} className="grid min-w-0 gap-1">
      {names.map(({ name, index }) => (
        <li
          key={index}
          className="grid min-w-0 items-center gap-x-3 gap-y-1 border-line border-b py-1 sm:grid-cols-[1fr_1fr_1fr]"
        >
          <span className="truncate font-medium" dir="auto" title={name}>
            {name}
          </span>
          <span className="truncate text-2 text-ink-2" dir="auto">
            {source.rows
              .slice(0, previewRows)
              .map((row) => row[index] ?? "")
              .filter((text) => text !== "")
              .map((text) => preview(text.slice(0, 60), run.mapping[index]))
              .join(" · ")}
          </span>
          <select
            aria-label={t("columnFor", { name })}
            value={run.mapping[index] ?? ""}
            onChange={(event) => map(index, event.target.value)}
            className="h-7 min-w-0 rounded-control border border-line-input bg-surface px-1.5"
          >
            <option value="">{t("leaveOut")}</option>
            {run.columns.map((column) => (
              <option key={column.name} value={column.name}>
                {titleOf(column)}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  );
}

const encodingNames = {
  "utf-8": "UTF-8",
  "windows-1252": "Windows-1252",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
} as const;
const separatorNames = [
  { value: ",", name: "comma" },
  { value: ";", name: "semicolon" },
  { value: "\t", name: "tab" },
  { value: "|", name: "pipe" },
] as const;

/** How a CSV file is written: what the file shows, or what the person chooses. */
function FileForms({ run, source }: { readonly run: Import; readonly source: Source }) {
  const t = useTranslations("transfer");
  const { encoding, separator, separators } = source;
  const { forms, proposed } = run;
  const again = (parts: Partial<Pick<Source, "encoding" | "separator">>) =>
    void run.choose(source.file, { encoding, separator, ...parts });
  const formats = [...new Set([...dateFormats, ...proposed.dateFormats, forms.dateFormat ?? ""])];
  const hasFlags = run.columns.some((each) => isBoolean(each) && run.mapping.includes(each.name));
  const open = { value: "?", label: t("choose") };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">{t("form")}</legend>
      <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-2">
        <Select
          label={t("encoding")}
          value={encoding}
          options={source.encodings.map((value) => ({ value, label: encodingNames[value] }))}
          onChange={(value) => again({ encoding: value })}
        />
        <Select
          label={t("separator")}
          value={separator}
          options={separatorNames.flatMap(({ value, name }) =>
            separators.includes(value) ? { value, label: t(name) } : [],
          )}
          onChange={(value) => again({ separator: value })}
        />
        <Select
          label={t("decimal")}
          value={forms.decimal ?? "?"}
          options={[
            ...(forms.decimal === undefined ? [{ ...open, value: "?" as const }] : []),
            { value: "dot" as const, label: t("decimalDot") },
            { value: "comma" as const, label: t("decimalComma") },
          ]}
          onChange={(decimal) => decimal !== "?" && run.changeForms({ decimal })}
        />
        <Select
          label={t("dates")}
          value={forms.dateFormat ?? "?"}
          options={[
            ...(forms.dateFormat === undefined ? [open] : []),
            ...formats.map((value) => ({ value, label: value === "" ? t("isoDates") : value })),
          ]}
          onChange={(dateFormat) => dateFormat !== "?" && run.changeForms({ dateFormat })}
        />
        {run.references !== null && (
          <Select
            label={t("references")}
            value={run.references}
            options={(["key", "title"] as const).map((value) => ({
              value,
              label: t(`referencesBy.${value}`),
            }))}
            onChange={run.refer}
          />
        )}
        {hasFlags && (
          <Select
            label={t("booleans")}
            value={forms.booleanFormat ?? "?"}
            options={[
              ...(forms.booleanFormat === undefined ? [open] : []),
              ...["", ...booleanFormats].map((value) => ({ value, label: value || "true/false" })),
            ]}
            onChange={(booleanFormat) =>
              booleanFormat !== "?" && run.changeForms({ booleanFormat })
            }
          />
        )}
      </div>
      {forms.dateFormat === undefined && (
        <Notice kind="info">
          {t(proposed.dateFormats.length === 0 ? "unknownDate" : "ambiguousDate", {
            text: proposed.dateExample ?? "",
          })}
        </Notice>
      )}
      {forms.booleanFormat === undefined && (
        <Notice kind="info">
          {t(proposed.booleanFormats.length === 0 ? "unknownBoolean" : "ambiguousBoolean", {
            text: proposed.booleanExample ?? "",
          })}
        </Notice>
      )}
      {forms.decimal === undefined && (
        <Notice kind="info">
          {t("ambiguousDecimal", { text: proposed.decimalExample ?? "" })}
        </Notice>
      )}
    </fieldset>
  );
}
