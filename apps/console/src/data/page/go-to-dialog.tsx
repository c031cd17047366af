import { useId, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { UnreadText } from "../../records/editors/draft.ts";
import { ValueEditor } from "../../records/editors/value-editor.tsx";
import { titleOf } from "../../records/model/resource.ts";
import { countBefore } from "../../records/rows/load-rows.ts";
import { sortOf } from "../../records/table/rows-search.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, inputClasses } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RowsView } from "./use-rows-view.ts";

/** Rows that are shown before the end of a list. */
const lastShown = 100;
const waitMs = 60_000;

/**
 * Leads to a place in a long list: the number of a row, the first row of a value in the column of the order, or the end.
 *
 * @param count the number of all rows, once it is known
 */
export function GoToDialog(props: {
  readonly view: RowsView;
  readonly count: number | undefined;
  readonly onClose: () => void;
}) {
  const { view, count, onClose } = props;
  const t = useTranslations("grid");
  const format = useFormatter();
  const describe = useFailureText();
  const id = useId();
  const [number, setNumber] = useState("");
  const [value, setValue] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const column = placeColumn(view);
  const row = /^\d{1,15}$/.test(number) ? Number(number) : 0;
  const isRow = row >= 1 && (count === undefined || row <= count);
  const isValue = value !== undefined && value !== null && !(value instanceof UnreadText);
  const show = (from: number): void => {
    view.change({ from: from > 1 ? from : undefined }, true);
    onClose();
  };
  const find = async (): Promise<void> => {
    if (column === undefined) return;
    const { where, search } = view.search;
    setBusy(true);
    setFailure(undefined);
    try {
      const place = { value, isDescending: column.isDescending };
      const signal = AbortSignal.timeout(waitMs);
      const list = { resource: view.resource, where, search };
      show(1 + (await countBefore(list, column.column, place, signal)));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const isReady = !isBusy && (number === "" ? isValue : isRow);
  const fault =
    number === "" || isRow
      ? undefined
      : t("goToRowFault", { count: count === undefined ? "none" : format.number(count) });
  return (
    <Dialog title={t("goToTitle")} onClose={onClose}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          if (number === "") void find();
          else show(row);
        }}
      >
        {failure !== undefined && <Notice kind="danger">{describe(failure)}</Notice>}
        <Field id={id} label={t("goToRow")} hint={undefined} fault={fault}>
          <input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            value={number}
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : `${id}-fault`}
            onChange={({ target }) => setNumber(target.value.replaceAll(/[\s.,_']/g, ""))}
            className={inputClasses}
          />
        </Field>
        {column !== undefined && (
          <div className="grid gap-1">
            <span>{t("goToValue", { name: titleOf(column.column) })}</span>
            <ValueEditor
              column={{ ...column.column, nullable: false }}
              value={value}
              isBare
              unset=""
              onChange={setValue}
              onCommit={() => {
                if (number === "" && isValue && !isBusy) void find();
              }}
            />
          </div>
        )}
        <DialogActions>
          <Button
            isBusy={count === undefined}
            onPress={() => show(Math.max(1, (count ?? 0) - lastShown + 1))}
          >
            {t("goToEnd")}
          </Button>
          <Button onPress={onClose}>{t("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={!isReady}>
            {t("goToShow")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The column by which the rows are ordered: the first of the order, or of the key. */
function placeColumn({ resource, search, allColumns }: RowsView) {
  const [first] = sortOf(search.order_by);
  const name = first?.name ?? resource.primaryKey[0];
  const column = allColumns.find((one) => one.name === name);
  return column === undefined ? undefined : { column, isDescending: first?.isDescending ?? false };
}

/** Says where a list begins that is not shown from its start, and leads to the rows before. */
export function StartBar({ view, start }: { readonly view: RowsView; readonly start: number }) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const earlier = Math.max(0, start - lastShown);
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b bg-canvas px-3.5 py-1 text-2 text-ink-2">
      <span>{t("startsAt", { row: format.number(start + 1) })}</span>
      <ToolButton
        className="h-6 px-1.5"
        onClick={() => view.change({ from: earlier === 0 ? undefined : earlier + 1 }, true)}
      >
        {t("earlierRows", { count: start - earlier })}
      </ToolButton>
      <ToolButton className="h-6 px-1.5" onClick={() => view.change({ from: undefined }, true)}>
        {t("fromStart")}
      </ToolButton>
    </div>
  );
}
