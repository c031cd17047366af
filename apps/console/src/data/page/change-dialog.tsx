import { useState } from "react";
import { useTranslations } from "use-intl";
import { UnreadText } from "../../records/editors/draft.ts";
import { FieldEditor } from "../../records/fields/field-editor.tsx";
import { fieldFaults } from "../../records/fields/form-fields.ts";
import { useFaultText, useRowFailureText } from "../../records/model/fault-text.ts";
import { targetOf } from "../../records/model/reference.ts";
import { type Row, readableColumns, referenceOf, titleOf } from "../../records/model/resource.ts";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ComboField } from "../../ui/combobox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type BulkProps, RowScope } from "./row-scope.tsx";
import type { RowsView } from "./use-rows-view.ts";

/** Sets columns of the chosen rows, or of all rows of the filter. It stays open until the values are written. */
export function ChangeDialog({ view, state, rows, changes, onClose }: BulkProps) {
  const t = useTranslations("grid");
  const sayRecord = useTranslations("record");
  const describe = useRowFailureText();
  const faultText = useFaultText();
  const [isAll, setAll] = useState(false);
  /** The columns in the order of their choice; undefined is a value that is not entered yet. */
  const [draft, setDraft] = useState<Row>({});
  // A change of a value that nobody can see could not be taken back.
  const columns = readableColumns(view.resource).filter(({ updatable }) => updatable);
  const names = Object.keys(draft);
  const left = columns.filter(({ name }) => !(name in draft));
  const count = isAll ? (state.count ?? 0) : rows.length;
  const isOpen = Object.values(draft).some(
    (value) => value === undefined || value instanceof UnreadText,
  );
  const { error, isBusy } = changes;
  const placed = fieldFaults(error, isAll ? "" : "/data/0/data", names, (fault) =>
    faultText(fault, view.resource.columns),
  );
  // A check of the table names no column; the only one that is changed has failed it.
  const isOnly = error !== undefined && !placed.isComplete && names.length === 1;
  const faultOf = (name: string) =>
    placed.of(name) ?? (isOnly ? describe(error, view.resource.columns) : undefined);
  const apply = async (): Promise<void> => {
    // A second attempt begins with the rows as the first one has left them.
    const current = new Map(state.rows.map((row) => [row.id, row]));
    const isDone = await (isAll
      ? changes.changeMatching(view.search.where, draft, count)
      : changes.write({
          changes: rows.map((row) => ({ row: current.get(row.id) ?? row, after: draft })),
        }));
    if (isDone) onClose();
  };
  const close = (): void => {
    if (names.length > 0 && !confirm(sayRecord("leave"))) return;
    changes.dismiss();
    onClose();
  };
  return (
    <Dialog title={t("changeTitle", { count })} onClose={close}>
      <RowScope view={view} state={state} rows={rows} isAll={isAll} onChange={setAll} />
      {names.flatMap((name) => {
        const column = columns.find((one) => one.name === name);
        if (column === undefined) return [];
        return (
          <ChangedColumn
            key={name}
            view={view}
            column={column}
            value={draft[name]}
            fault={faultOf(name)}
            onChange={(value) => setDraft((last) => ({ ...last, [name]: value }))}
            onRemove={() =>
              setDraft((last) =>
                Object.fromEntries(Object.entries(last).filter(([other]) => other !== name)),
              )
            }
          />
        );
      })}
      {left.length > 0 && (
        <AddColumn
          columns={left}
          onAdd={(name) => setDraft((last) => ({ ...last, [name]: undefined }))}
        />
      )}
      {isAll && <p className="text-2 text-ink-2">{t("noUndo")}</p>}
      {error !== undefined && !placed.isComplete && !isOnly && (
        <Notice kind="danger">{describe(error, view.resource.columns)}</Notice>
      )}
      <DialogActions>
        <ToolButton onClick={close}>{t("cancel")}</ToolButton>
        <ToolButton
          kind="primary"
          disabled={isOpen || isBusy || names.length === 0 || count === 0}
          onClick={() => void apply()}
        >
          {t("changeColumns", { columns: names.length, count })}
        </ToolButton>
      </DialogActions>
    </Dialog>
  );
}

/** A column that is changed: the editor of its new value, or that it becomes empty. */
function ChangedColumn(props: {
  readonly view: RowsView;
  readonly column: NavigationColumn;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onRemove: () => void;
}) {
  const t = useTranslations("grid");
  const { view, column, value, fault, onChange } = props;
  const { resource, resources } = view;
  const title = titleOf(column);
  const target = targetOf(resources, referenceOf(resource, column));
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="sr-only">{title}</legend>
      <div className="flex items-center justify-between gap-2">
        <span className="truncate font-medium" dir="auto" aria-hidden="true">
          {title}
        </span>
        <IconButton
          label={t("changeRemove", { name: title })}
          icon={X}
          onPress={props.onRemove}
          isSmall
        />
      </div>
      {/* The right edges of all editors are in one line. */}
      <div className={target === undefined ? undefined : "pr-7.5"}>
        <FieldEditor
          resource={resource}
          column={column}
          target={target}
          row={{ [column.name]: value }}
          value={value}
          isNew={false}
          unset={t("changeUnset")}
          autoFocus
          fault={fault}
          onChange={onChange}
        />
      </div>
      {column.nullable && (
        <Checkbox
          label={t("changeEmpty")}
          isChecked={value === null}
          onChange={(isEmpty) => onChange(isEmpty ? null : undefined)}
        />
      )}
    </fieldset>
  );
}

function AddColumn(props: {
  readonly columns: readonly NavigationColumn[];
  readonly onAdd: (name: string) => void;
}) {
  const t = useTranslations("grid");
  const [typed, setTyped] = useState<string>();
  const search = (typed ?? "").trim().toLowerCase();
  const found = props.columns.filter(({ name, label }) =>
    `${label} ${name}`.toLowerCase().includes(search),
  );
  return (
    <ComboField
      label={t("changeAdd")}
      shown=""
      chosen={undefined}
      typed={typed}
      onType={setTyped}
      options={found.map((column) => ({ id: column.name, label: titleOf(column) }))}
      onChoose={props.onAdd}
      message={found.length === 0 ? t("changeNoColumn") : undefined}
    />
  );
}
