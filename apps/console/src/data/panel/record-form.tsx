import { RowhouseError } from "@rowhouse/client";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import { UnreadText } from "../editors/draft.ts";
import { type Row, referenceOf, titleOf } from "../model/resource.ts";
import { isEqual } from "../page/paste.ts";
import type { GridRow } from "../rows/row-store.ts";
import { CellValue } from "../values/cell-value.tsx";
import { FieldEditor } from "./field-editor.tsx";
import type { PushRecord } from "./record-path.ts";

interface RecordFormProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly row: GridRow;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onPush: PushRecord;
  /** Returns whether the changes were written. */
  readonly onSave: (after: Row) => Promise<boolean>;
}

/** The values of a record. Changes are written together, when the person saves. */
export function RecordForm(props: RecordFormProps) {
  const { resource, resources, row, error, isBusy, onPush, onSave } = props;
  const t = useTranslations("record");
  const describe = useFailureText();
  const [draft, setDraft] = useState<Row>({});
  const [version, setVersion] = useState(0);
  const names = Object.keys(draft);
  const count = names.length;
  const isUnread = Object.values(draft).some((value) => value instanceof UnreadText);
  useUnsaved(count > 0);
  const faults = error instanceof RowhouseError ? error.faultsByPath : null;
  const columns = resource.columns.filter(({ readable }) => readable);
  const isShown = columns.some(({ name }) => faults?.has(pointerTo(name)) === true);
  const save = async (): Promise<void> => {
    if (count === 0 || isUnread || isBusy) return;
    if (await onSave(draft)) setDraft({});
  };
  const discard = (): void => {
    setDraft({});
    setVersion((last) => last + 1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save();
  };
  return (
    // Ctrl S saves from every field.
    <form
      aria-label={t("values")}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="grid min-h-0 flex-1 content-start gap-1.5 overflow-auto p-4">
        {error !== undefined && !isShown && <Notice kind="danger">{describe(error)}</Notice>}
        {columns.map((column) => (
          <FieldRow
            key={`${column.name} ${version}`}
            column={column}
            resource={resource}
            resources={resources}
            row={row.values}
            value={column.name in draft ? draft[column.name] : row.values[column.name]}
            isLocked={row.key === null || !column.updatable}
            fault={faults?.get(pointerTo(column.name))?.[0]?.message}
            onPush={onPush}
            onChange={(value) => {
              setDraft((last) => {
                const { [column.name]: _last, ...others } = last;
                const isSame = isEqual(value, row.values[column.name]);
                return isSame ? others : { ...others, [column.name]: value };
              });
            }}
          />
        ))}
      </div>
      {count > 0 && (
        <div className="flex items-center gap-2 border-line border-t px-4 py-2.5">
          <span role="status" className="flex-1 text-2 text-ink-2">
            {t("unsaved", { count })}
          </span>
          <ToolButton onClick={discard}>{t("discard")}</ToolButton>
          <ToolButton
            kind="primary"
            disabled={count === 0 || isUnread || isBusy}
            onClick={() => void save()}
          >
            {t("save")}
            <KeyHint>Ctrl S</KeyHint>
          </ToolButton>
        </div>
      )}
    </form>
  );
}

function FieldRow(props: {
  readonly column: NavigationColumn;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly row: Row;
  readonly value: unknown;
  readonly isLocked: boolean;
  readonly fault: string | undefined;
  readonly onPush: PushRecord;
  readonly onChange: (value: unknown) => void;
}) {
  const t = useTranslations("record");
  const { column, resource, resources, value, isLocked, fault } = props;
  const title = titleOf(column);
  const reference = referenceOf(resource, column);
  const target = resources.find(({ id }) => id === reference?.resource.id);
  return (
    <div className="grid min-h-8 grid-cols-[minmax(0,116px)_minmax(0,1fr)] items-start gap-2">
      <span className="truncate py-1.5 text-ink-2" title={column.description ?? title} dir="auto">
        {title}
      </span>
      <div className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 flex-1">
          {isLocked ? (
            <div className="flex min-h-7 items-center px-2 py-1.5">
              <CellValue column={column} value={value} />
            </div>
          ) : (
            <FieldEditor
              resource={resource}
              column={column}
              target={target}
              row={props.row}
              isNew={false}
              value={value}
              fault={fault}
              onChange={props.onChange}
            />
          )}
        </div>
        {target !== undefined && value !== null && value !== undefined && (
          <button
            type="button"
            aria-label={t("openRelated", { name: title })}
            onClick={() => props.onPush(target, [String(value)])}
            className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-accent"
          >
            <ChevronRight size={15} aria-hidden="true" />
          </button>
        )}
      </div>
    </div>
  );
}

/** Asks before the tab closes with unsaved changes. */
function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
}

/** The JSON pointer at which the API reports faults of a column. */
function pointerTo(name: string): string {
  return `/data/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
