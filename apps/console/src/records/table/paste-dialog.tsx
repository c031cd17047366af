import { useFormatter, useTranslations } from "use-intl";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { titleOf } from "../model/resource.ts";
import type { Paste } from "./paste.ts";

const shownFaults = 100;

/** A paste that is not written yet: the reason for each cell, or the numbers of changed and new rows. */
export function PasteDialog(props: {
  readonly paste: Paste;
  readonly onWrite: () => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const { faults, changes, creates, leftOver, missing } = props.paste;
  const isPossible = faults.length === 0 && changes.length + creates.length > 0;
  return (
    <Dialog title={t("pasteTitle")} onClose={props.onClose} isWide={faults.length > 0}>
      {leftOver > 0 && <p>{t("pasteLeftOver", { count: leftOver })}</p>}
      {missing.length > 0 && (
        <p>
          {t("pasteMissing", { names: missing.map(titleOf).join(", "), count: missing.length })}
        </p>
      )}
      {isPossible && creates.length > 0 && (
        <ul className="list-inside list-disc">
          {changes.length > 0 && <li>{t("pasteChanges", { count: changes.length })}</li>}
          <li>{t("pasteCreates", { count: creates.length })}</li>
        </ul>
      )}
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
      <DialogActions>
        <ToolButton onClick={props.onClose}>{t(isPossible ? "cancel" : "close")}</ToolButton>
        {isPossible && (
          <ToolButton kind="primary" onClick={props.onWrite}>
            {creates.length === 0
              ? t("pasteWrite", { count: changes.length })
              : t("pasteCreate", { changes: changes.length, creates: creates.length })}
          </ToolButton>
        )}
      </DialogActions>
    </Dialog>
  );
}
