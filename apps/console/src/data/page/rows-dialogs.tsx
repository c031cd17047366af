import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { ConflictDialog } from "../../records/panel/conflict-dialog.tsx";
import { PasteDialog } from "../../records/paste/paste-dialog.tsx";
import type { GridRow, RowsState } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import type { GridControl } from "../../records/table/use-grid-control.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { type BulkProps, RowScope } from "./row-scope.tsx";
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
      {control.paste !== null && <PasteDialog paste={control.paste} />}
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
      <RowScope view={view} state={state} rows={rows} isAll={isAll} onChange={setAll} />
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
