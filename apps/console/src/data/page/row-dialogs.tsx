import { type ReactNode, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import type { RowConflict } from "../../records/rows/row-writer.ts";
import { CellValue } from "../../records/values/cell-value.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Paste } from "./paste.ts";
import type { RowsView } from "./use-rows-view.ts";

const shownFaults = 100;

/** A paste that was not written, with the reason for each cell. */
export function PasteDialog(props: {
  readonly paste: Paste;
  readonly onWrite: () => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const { faults, changes, leftOver } = props.paste;
  const isPossible = faults.length === 0 && changes.length > 0;
  return (
    <Dialog title={t("pasteTitle")} onClose={props.onClose} isWide>
      {leftOver > 0 && <p>{t("pasteLeftOver", { count: leftOver })}</p>}
      {faults.length > 0 && (
        <>
          <p>{t("pasteFaults", { count: faults.length })}</p>
          <table className="w-full border-collapse text-left">
            <thead className="text-2 text-ink-2">
              <tr className="border-line border-b">
                <th className="py-1 pr-3 font-medium">{t("row")}</th>
                <th className="py-1 pr-3 font-medium">{t("column")}</th>
                <th className="py-1 pr-3 font-medium">{t("text")}</th>
                <th className="py-1 font-medium">{t("reason")}</th>
              </tr>
            </thead>
            <tbody>
              {faults.slice(0, shownFaults).map(({ row, column, text, fault }) => (
                <tr key={`${row} ${column.name}`} className="border-line border-b align-top">
                  <td className="py-1 pr-3 tabular-nums">{format.number(row + 1)}</td>
                  <td className="py-1 pr-3" dir="auto">
                    {titleOf(column.column)}
                  </td>
                  <td className="max-w-60 truncate py-1 pr-3" dir="auto">
                    {text}
                  </td>
                  <td className="py-1 text-danger">{fault}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <Actions>
        <ToolButton onClick={props.onClose}>{t(isPossible ? "cancel" : "close")}</ToolButton>
        {isPossible && (
          <ToolButton kind="primary" onClick={props.onWrite}>
            {t("pasteWrite", { count: changes.length })}
          </ToolButton>
        )}
      </Actions>
    </Dialog>
  );
}

/** A row that another person has changed meanwhile: both versions, and the choice field by field. */
export function ConflictDialog({
  view,
  conflict,
  onResolve,
  onClose,
}: {
  readonly view: RowsView;
  readonly conflict: RowConflict;
  /** Writes the chosen columns over the present row; none leaves it as it is. */
  readonly onResolve: (current: GridRow, after: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("grid");
  const { change, current } = conflict;
  const names = Object.keys(change.after);
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set());
  if (current === null) {
    return (
      <Dialog title={t("goneTitle")} onClose={onClose}>
        <p className="text-ink-2">{t("goneText")}</p>
        <Actions>
          <ToolButton onClick={onClose}>{t("close")}</ToolButton>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("conflictTitle")} onClose={onClose} isWide>
      <p className="text-ink-2">{t("conflictText")}</p>
      <div className="grid gap-3">
        {names.map((name) => {
          const column = view.resource.columns.find((one) => one.name === name);
          if (column === undefined) return null;
          const pick = (isMine: boolean) =>
            setMine((last) => {
              const next = new Set(last);
              if (isMine) next.add(name);
              else next.delete(name);
              return next;
            });
          return (
            <fieldset key={name} className="grid gap-1.5 sm:grid-cols-2">
              <legend className="mb-1 font-medium" dir="auto">
                {titleOf(column)}
              </legend>
              {[false, true].map((isMine) => (
                <label
                  key={String(isMine)}
                  className="flex min-w-0 items-center gap-2 rounded-control border border-line-strong p-2 has-checked:border-accent has-checked:bg-accent-soft"
                >
                  <input
                    type="radio"
                    name={name}
                    checked={mine.has(name) === isMine}
                    onChange={() => pick(isMine)}
                    className="accent-accent"
                  />
                  <span className="min-w-0 flex-1">
                    <span className="block text-2 text-ink-2">{t(isMine ? "mine" : "theirs")}</span>
                    <CellValue
                      column={column}
                      value={isMine ? change.after[name] : current.values[name]}
                    />
                  </span>
                </label>
              ))}
            </fieldset>
          );
        })}
      </div>
      <Actions>
        <ToolButton onClick={onClose}>{t("cancel")}</ToolButton>
        <ToolButton
          kind="primary"
          onClick={() =>
            onResolve(
              current,
              Object.fromEntries(
                names.filter((name) => mine.has(name)).map((name) => [name, change.after[name]]),
              ),
            )
          }
        >
          {t("resolve")}
        </ToolButton>
      </Actions>
    </Dialog>
  );
}

/** The buttons at the end of a dialog. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>;
}
