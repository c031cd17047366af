import { ConflictDialog } from "../../records/panel/conflict-dialog.tsx";
import type { GridRow, RowsState } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import { PasteDialog } from "../../records/table/paste-dialog.tsx";
import type { GridControl } from "../../records/table/use-grid-control.ts";
import { ChangeDialog, DeleteDialog } from "./bulk-dialogs.tsx";
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
