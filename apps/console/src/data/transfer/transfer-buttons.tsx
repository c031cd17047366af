import { writeName } from "@rowhouse/access/written-name";
import type { CsvForms } from "@rowhouse/client";
import { lazy, Suspense, useRef, useState, useSyncExternalStore } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { addressOf, titleOf } from "../../records/model/resource.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Download, FileJson, FileSpreadsheet, Upload, X } from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { fileName, fileSize, saveFile } from "../../ui/save-file.ts";
import { SelectField } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RowsView } from "../page/use-rows-view.ts";
import { LineCounter } from "./line-counter.ts";

// Only a person who imports loads it.
const ImportDialog = lazy(async () => ({
  default: (await import("./import-dialog.tsx")).ImportDialog,
}));

/** Brings rows into files, and files into rows. */
export function TransferButtons({
  view,
  count,
  onImported,
}: {
  readonly view: RowsView;
  /** The number of rows that match. */
  readonly count: number | undefined;
  /** Called when a file has changed rows. */
  readonly onImported: () => void;
}) {
  const { resource, search, columns } = view;
  const begin = (format: "csv" | "ndjson", forms: CsvForms = {}) =>
    void startExport({
      ...{ resource, format, forms, count, where: search.where },
      ...{ orderBy: search.order_by, search: search.search },
      fields: columns.map(({ name }) => writeName(name)),
    });
  const t = useTranslations("transfer");
  const [isImporting, setImporting] = useState(false);
  const [isFormed, setFormed] = useState(false);
  return (
    <>
      {resource.actions.includes("CREATE") && (
        <ToolButton aria-label={t("import")} onClick={() => setImporting(true)}>
          <Upload size={15} aria-hidden="true" />
          <span className="max-sm:hidden">{t("import")}</span>
        </ToolButton>
      )}
      <ExportButton onExport={begin} onForms={() => setFormed(true)} />
      <ExportProgress />
      {isFormed && (
        <FormsDialog
          onExport={(forms) => {
            setFormed(false);
            begin("csv", forms);
          }}
          onClose={() => setFormed(false)}
        />
      )}
      {isImporting && (
        <Suspense fallback={null}>
          <ImportDialog
            resource={resource}
            onDone={onImported}
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Chooses the format of an export and starts it. */
function ExportButton(props: {
  readonly onExport: (format: "csv" | "ndjson") => void;
  /** Called for a CSV file whose forms its person chooses. */
  readonly onForms: () => void;
}) {
  const { onExport, onForms } = props;
  const t = useTranslations("transfer");
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <ToolButton
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t("export")}
        onClick={() => setOpen(true)}
      >
        <Download size={15} aria-hidden="true" />
        <span className="max-sm:hidden">{t("export")}</span>
      </ToolButton>
      {isOpen && (
        <OpenMenu
          label={t("export")}
          beside={button}
          onClose={() => setOpen(false)}
          groups={[
            {
              id: "format",
              title: t("exportScope"),
              entries: [
                {
                  id: "csv",
                  label: t("csv"),
                  icon: FileSpreadsheet,
                  onPress: () => onExport("csv"),
                },
                { id: "forms", label: t("csvForms"), icon: FileSpreadsheet, onPress: onForms },
                {
                  id: "ndjson",
                  label: t("ndjson"),
                  icon: FileJson,
                  onPress: () => onExport("ndjson"),
                },
              ],
            },
          ]}
        />
      )}
    </>
  );
}

/** Chooses what a CSV file has for rows that are referred to, and in its first line. */
function FormsDialog(props: {
  readonly onExport: (forms: CsvForms) => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("transfer");
  const [references, setReferences] = useState<"key" | "title" | "both">("title");
  const [heads, setHeads] = useState<"name" | "label">("label");
  return (
    <Dialog title={t("csvFormsTitle")} onClose={props.onClose} closeLabel={t("close")}>
      <SelectField
        label={t("references")}
        hint={t(`referencesHint.${references}`)}
        value={references}
        options={(["key", "title", "both"] as const).map((value) => ({
          value,
          label: t(`referencesAs.${value}`),
        }))}
        onChange={setReferences}
      />
      <SelectField
        label={t("heads")}
        value={heads}
        options={(["name", "label"] as const).map((value) => ({
          value,
          label: t(`headsAs.${value}`),
        }))}
        onChange={setHeads}
      />
      <DialogActions>
        <ToolButton onClick={props.onClose}>{t("cancel")}</ToolButton>
        <ToolButton kind="primary" onClick={() => props.onExport({ references, heads })}>
          {t("export")}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}

/** The exports that run or have failed, over a corner of the page. */
function ExportProgress() {
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

/** Which rows a file has. */
interface ExportRequest {
  readonly resource: NavigationResource;
  readonly format: "csv" | "ndjson";
  readonly forms: CsvForms;
  readonly fields: readonly string[];
  readonly where: Readonly<Record<string, unknown>> | undefined;
  readonly orderBy: string | undefined;
  readonly search: string | undefined;
  /** The number of all rows, if it is known. */
  readonly count: number | undefined;
}

/** An export that runs or has failed. */
interface RunningExport {
  readonly id: number;
  readonly title: string;
  readonly rows: number;
  readonly bytes: number;
  readonly count: number | undefined;
  readonly error: unknown;
}

/** Bytes after which the received parts become one, which the browser can keep outside of memory. */
const partBytes = 4_000_000;

let last = 0;
let running: readonly RunningExport[] = [];
const aborts = new Map<number, AbortController>();
const listeners = new Set<() => void>();

function set(next: readonly RunningExport[]): void {
  running = next;
  for (const listener of listeners) listener();
}

/** The exports that run, on whatever page their person is. */
const runningExports = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  all: (): readonly RunningExport[] => running,
  /** Ends an export, or removes a failed one. */
  cancel: (id: number): void => {
    aborts.get(id)?.abort();
    aborts.delete(id);
    set(running.filter((one) => one.id !== id));
  },
};

/** Streams the rows into a file and saves it. A failed export stays in the list with its error. */
async function startExport(request: ExportRequest): Promise<void> {
  last += 1;
  const id = last;
  const abort = new AbortController();
  aborts.set(id, abort);
  const { resource, format, count } = request;
  const begun = { id, title: titleOf(resource), rows: 0, bytes: 0, count, error: undefined };
  set([...running, begun]);
  const change = (parts: Partial<RunningExport>) =>
    set(running.map((one) => (one.id === id ? { ...one, ...parts } : one)));
  try {
    const content = await receive(request, abort.signal, change);
    saveFile(content, fileName(resource.name, format));
    runningExports.cancel(id);
  } catch (error) {
    if (!abort.signal.aborted) change({ error });
  }
}

async function receive(
  { resource, format, forms, fields, where, orderBy, search }: ExportRequest,
  signal: AbortSignal,
  change: (parts: Partial<RunningExport>) => void,
): Promise<Blob> {
  const { stream } = await client.from(addressOf(resource)).export(format, {
    ...{ ...forms, fields, signal },
    ...(where === undefined ? {} : { where }),
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(search === undefined ? {} : { search }),
  });
  const type = format === "csv" ? "text/csv" : "application/x-ndjson";
  const counter = new LineCounter(format);
  const parts: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let kept = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    waiting.push(new Uint8Array(value));
    counter.push(value);
    bytes += value.byteLength;
    if (bytes - kept >= partBytes) {
      parts.push(new Blob(waiting));
      waiting = [];
      kept = bytes;
    }
    change({ rows: counter.rows, bytes });
  }
  return new Blob([...parts, ...waiting], { type });
}
