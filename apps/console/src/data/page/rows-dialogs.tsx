import { useId, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { UnreadText } from "../../records/editors/draft.ts";
import { targetOf } from "../../records/model/reference.ts";
import { type Row, readableColumns, referenceOf, titleOf } from "../../records/model/resource.ts";
import { ConflictDialog } from "../../records/panel/conflict-dialog.tsx";
import { FieldEditor } from "../../records/panel/field-editor.tsx";
import type { GridRow, RowsState } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import { PasteDialog } from "../../records/table/paste-dialog.tsx";
import type { GridControl } from "../../records/table/use-grid-control.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RowsView } from "./use-rows-view.ts";

/** A change or deletion of several rows that the person is about to confirm. */
export interface Bulk {
  readonly kind: "CHANGE" | "DELETE";
  readonly rows: readonly GridRow[];
}

/** The dialogs over the rows: of a change or deletion of several, of a paste, and of a conflict. */
export function RowsDialogs(props: {
  readonly view: RowsView;
  readonly state: RowsState;
  readonly changes: RowChanges;
  readonly control: GridControl;
  readonly bulk: Bulk | null;
  /** Ends the change or deletion of several rows. */
  readonly onClose: () => void;
}) {
  const { view, state, changes, control, bulk, onClose } = props;
  return (
    <>
      {bulk?.kind === "DELETE" && (
        <DeleteDialog {...{ view, state, changes }} rows={bulk.rows} onClose={onClose} />
      )}
      {bulk?.kind === "CHANGE" && (
        <ChangeDialog {...{ view, state, changes }} rows={bulk.rows} onClose={onClose} />
      )}
      {control.paste !== null && (
        <PasteDialog
          paste={control.paste}
          onClose={control.closePaste}
          onWrite={() => {
            control.closePaste();
            if (control.paste !== null) void changes.write(control.paste);
          }}
        />
      )}
      {changes.conflict !== null && (
        <ConflictDialog
          resource={view.resource}
          conflict={changes.conflict}
          onClose={changes.dismiss}
          onResolve={(current, chosen) => void changes.resolve(current, chosen)}
        />
      )}
    </>
  );
}

const noRow: Row = {};

interface BulkProps {
  readonly view: RowsView;
  readonly state: RowsState;
  /** The chosen rows. */
  readonly rows: readonly GridRow[];
  readonly changes: RowChanges;
  readonly onClose: () => void;
}

/** Asks before rows are deleted, with their number; all rows of a filter require the name of the table. */
function DeleteDialog({ view, state, rows, changes, onClose }: BulkProps) {
  const t = useTranslations("grid");
  const id = useId();
  const [isAll, setAll] = useState(false);
  const [typed, setTyped] = useState("");
  const { name } = view.resource;
  const count = isAll ? (state.count ?? 0) : rows.length;
  const isAllowed = !isAll || typed === name;
  const remove = () => {
    onClose();
    void (isAll ? changes.removeMatching(view.search.where, count) : changes.remove(rows));
  };
  return (
    <Dialog title={t("deleteTitle", { count })} onClose={onClose}>
      <p className="text-ink-2">{t("deleteText")}</p>
      <Scope view={view} state={state} rows={rows} isAll={isAll} onChange={setAll} />
      {isAll && (
        <div className="grid gap-1.5">
          <label htmlFor={id}>{t("typeName", { name })}</label>
          <input
            id={id}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
            className="h-9 rounded-control border border-line-input bg-surface px-2"
          />
        </div>
      )}
      <DialogActions>
        <ToolButton onClick={onClose}>{t("cancel")}</ToolButton>
        <ToolButton kind="danger" disabled={!isAllowed} onClick={remove}>
          {t("delete", { count })}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}

/** Sets one column of the chosen rows, or of all rows of the filter. */
function ChangeDialog({ view, state, rows, changes, onClose }: BulkProps) {
  const t = useTranslations("grid");
  const id = useId();
  const [isAll, setAll] = useState(false);
  // A change of a value that nobody can see could not be taken back.
  const columns = readableColumns(view.resource).filter(({ updatable }) => updatable);
  const [name, setName] = useState(columns[0]?.name ?? "");
  const [value, setValue] = useState<unknown>(null);
  const column = columns.find((one) => one.name === name);
  const reference = column === undefined ? undefined : referenceOf(view.resource, column);
  const count = isAll ? (state.count ?? 0) : rows.length;
  const isMissing = value === null && column?.nullable === false;
  const apply = () => {
    onClose();
    const after = { [name]: value };
    void (isAll
      ? changes.changeMatching(view.search.where, after, count)
      : changes.write({ changes: rows.map((row) => ({ row, after })) }));
  };
  return (
    <Dialog title={t("changeTitle", { count })} onClose={onClose}>
      <Scope view={view} state={state} rows={rows} isAll={isAll} onChange={setAll} />
      <div className="grid gap-1.5">
        <label htmlFor={id}>{t("column")}</label>
        <select
          id={id}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setValue(null);
          }}
          className="h-9 rounded-control border border-line-input bg-surface px-2"
        >
          {columns.map((one) => (
            <option key={one.name} value={one.name}>
              {titleOf(one)}
            </option>
          ))}
        </select>
      </div>
      {column !== undefined && (
        <FieldEditor
          key={name}
          resource={view.resource}
          column={column}
          target={targetOf(view.resources, reference)}
          row={noRow}
          value={value}
          isNew={false}
          fault={undefined}
          onChange={setValue}
        />
      )}
      {isAll && <p className="text-2 text-ink-2">{t("noUndo")}</p>}
      <DialogActions>
        <ToolButton onClick={onClose}>{t("cancel")}</ToolButton>
        <ToolButton
          kind="primary"
          disabled={value instanceof UnreadText || isMissing || count === 0}
          onClick={apply}
        >
          {t("pasteWrite", { count })}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}

/** Offers all rows of the filter, where the grid shows them and knows their number. */
function Scope(props: {
  readonly view: RowsView;
  readonly state: RowsState;
  readonly rows: readonly GridRow[];
  readonly isAll: boolean;
  readonly onChange: (isAll: boolean) => void;
}) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const name = useId();
  const { view, state, rows, isAll } = props;
  // A searched text is no filter that a write could have.
  if (view.search.search !== undefined || state.count === undefined) return null;
  const choices = [
    { isAll: false, text: t("scopeChosen", { count: rows.length }) },
    {
      isAll: true,
      text: t(view.search.where === undefined ? "scopeTable" : "scopeFilter", {
        count: format.number(state.count),
      }),
    },
  ];
  return (
    <fieldset className="grid gap-1">
      <legend className="sr-only">{t("scope")}</legend>
      {choices.map((choice) => (
        <label key={String(choice.isAll)} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={name}
            checked={isAll === choice.isAll}
            onChange={() => props.onChange(choice.isAll)}
            className="size-4 accent-accent"
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  );
}
