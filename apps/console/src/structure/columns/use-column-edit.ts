import { useDraft } from "../draft/draft-context.ts";
import type { ColumnModel } from "../model/column-model.ts";
import type { ColumnEdit, NewColumn } from "../model/draft.ts";
import { editColumn, editNewColumn, removeNewColumn, restoreColumn } from "../model/edit-draft.ts";

/** What can be done with a column of the draft. */
export function useColumnEdit(column: ColumnModel) {
  const { change } = useDraft();
  const { id, origin } = column;
  return {
    /** Changes a property that columns of the table and new ones have. */
    edit: (edit: ColumnEdit & Partial<NewColumn>) =>
      change((last) =>
        origin === undefined ? editNewColumn(last, id, edit) : editColumn(last, id, edit),
      ),
    drop: () =>
      change((last) =>
        origin === undefined
          ? removeNewColumn(last, id)
          : editColumn(last, id, { isDropped: true }),
      ),
    restore: () => change((last) => restoreColumn(last, id)),
  };
}
