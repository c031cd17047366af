import { RowhouseError } from "@rowhouse/client";
import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { UnreadText } from "../../records/editors/draft.ts";
import type { Row } from "../../records/model/resource.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import type { RowChanges } from "../page/use-row-changes.ts";
import { FieldRow, pointerIn } from "./field-row.tsx";
import { useUnsaved } from "./use-unsaved.ts";

interface NewRecordProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  /** The values with which the form begins, such as those of the row that is duplicated. */
  readonly initial: Row;
  readonly changes: RowChanges;
  readonly onCreated: (rows: readonly GridRow[]) => void;
  readonly onClose: () => void;
}

/** The form of a new row. It has the columns that this person may set; the others have their defaults. */
export function NewRecord(props: NewRecordProps) {
  const { resource, resources, initial, changes, onCreated, onClose } = props;
  const t = useTranslations("record");
  const describe = useFailureText();
  const [draft, setDraft] = useState(initial);
  const columns = resource.columns.filter(({ creatable }) => creatable);
  const set = Object.entries(draft).filter(([, value]) => value !== undefined);
  const isUnread = set.some(([, value]) => value instanceof UnreadText);
  const missing = columns.filter(({ name, required }) => required && draft[name] === undefined);
  useUnsaved(set.length > Object.keys(initial).length);
  const { error } = changes;
  const faults = error instanceof RowhouseError ? error.faultsByPath : null;
  const isShown = columns.some(({ name }) => faults?.has(pointerIn("/data/0", name)) === true);
  const isReady = !isUnread && missing.length === 0 && !changes.isBusy;
  const save = async (): Promise<void> => {
    if (!isReady) return;
    const created = await changes.create([Object.fromEntries(set)]);
    if (created !== null) onCreated(created);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save();
  };
  return (
    <aside
      aria-label={t("newRecord")}
      className="flex min-h-0 w-95 flex-col border-line border-l bg-surface max-md:fixed max-md:inset-0 max-md:z-5 max-md:w-full max-md:border-l-0"
    >
      <div className="flex items-center gap-1 border-line border-b px-4 py-2">
        <h2 className="min-w-0 flex-1 truncate text-4 font-semibold">{t("newRecord")}</h2>
        <button
          type="button"
          aria-label={t("close")}
          onClick={onClose}
          className="grid size-7 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
        >
          <X size={15} aria-hidden="true" />
        </button>
      </div>
      {/* Ctrl S saves from every field. */}
      <form
        aria-label={t("newRecord")}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="grid min-h-0 flex-1 content-start gap-1.5 overflow-auto p-4">
          {error !== undefined && !isShown && <Notice kind="danger">{describe(error)}</Notice>}
          {columns.map((column, index) => (
            <FieldRow
              key={column.name}
              column={column}
              resource={resource}
              resources={resources}
              row={draft}
              value={draft[column.name]}
              isNew
              isLocked={false}
              isFirst={index === 0}
              fault={faults?.get(pointerIn("/data/0", column.name))?.[0]?.message}
              onPush={null}
              onChange={(value) => setDraft((last) => ({ ...last, [column.name]: value }))}
            />
          ))}
        </div>
        <div className="flex items-center gap-2 border-line border-t px-4 py-2.5">
          <span className="flex-1 text-2 text-ink-2">
            {missing.length > 0 && t("missingFields", { count: missing.length })}
          </span>
          <ToolButton onClick={onClose}>{t("cancel")}</ToolButton>
          <ToolButton kind="primary" disabled={!isReady} onClick={() => void save()}>
            {t("create")}
            <KeyHint>Ctrl S</KeyHint>
          </ToolButton>
        </div>
      </form>
    </aside>
  );
}
