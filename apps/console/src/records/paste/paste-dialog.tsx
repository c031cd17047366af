import { useEffect, useId, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Download } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { faultyCsv } from "../files/import-faults.ts";
import { useRowFailureText } from "../model/fault-text.ts";
import { titleOf } from "../model/resource.ts";
import { headsOf, type PasteDraft, placedMapping } from "./paste.ts";
import { PasteLines } from "./paste-lines.tsx";
import type { OpenPaste } from "./use-paste.ts";

/** A paste before it is written: where it goes, what changes and what is new, and what is wrong with it. */
export function PasteDialog({ paste: open }: { readonly paste: OpenPaste }) {
  const t = useTranslations("grid.paste");
  const format = useFormatter();
  const describe = useRowFailureText();
  const { draft, paste, refused, failure, state } = open;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Work begins at the first fault, or with the confirmation.
    const first = place.current?.querySelector<HTMLElement>("[aria-invalid]");
    (first ?? place.current?.querySelector<HTMLElement>("[data-confirm]:enabled"))?.focus();
  }, []);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const faulty = faultyLines(open);
  const isBusy = state !== "READ";
  const writes = paste.changes.length + paste.creates.length;
  const isReady = faulty.length === 0 && writes > 0;
  const left = paste.lines.filter(({ isSkipped }) => isSkipped).length;
  const skip = (lines: readonly number[]) =>
    open.change({ ...draft, skipped: new Set([...draft.skipped, ...lines]) });
  const save = () => {
    const names = draft.hasHeads
      ? (draft.table[0] ?? [])
      : draft.mapping.map((name) => {
          const item = open.place.columns.find((each) => each.name === name);
          return item === undefined ? (name ?? "–") : titleOf(item.column);
        });
    const rows = [
      ...faulty,
      ...paste.lines.filter((line) => line.isSkipped).map(({ line }) => line),
    ];
    const file = faultyCsv({ format: "csv", names }, faultyFileRows(rows, open), t("reason"));
    saveFile(new Blob([file]), fileName(t("fileName"), "csv"));
  };
  return (
    <Dialog title={t("title")} onClose={open.close} closeLabel={t("close")} isFull>
      <div ref={place} className="grid min-w-0 gap-4">
        <Arrangement open={open} />
        <div role="status">
          <ul className="list-inside list-disc">
            {paste.changes.length > 0 && <li>{t("changes", { count: paste.changes.length })}</li>}
            {paste.creates.length > 0 && <li>{t("creates", { count: paste.creates.length })}</li>}
            {left > 0 && <li>{t("left", { count: left })}</li>}
            {writes === 0 && faulty.length === 0 && <li>{t("nothing")}</li>}
          </ul>
        </div>
        {failure !== undefined && <Notice kind="danger">{describe(failure)}</Notice>}
        {faulty.length > 0 && (
          <Notice kind="danger">
            {t("faults", { count: faulty.length, number: format.number(faulty.length) })}
          </Notice>
        )}
        {paste.leftOver > 0 && (
          <Notice kind="info">
            {t("leftOver", { count: paste.leftOver })}{" "}
            {paste.missing.length > 0 &&
              t("missing", {
                count: paste.missing.length,
                names: paste.missing.map(titleOf).join(", "),
              })}
          </Notice>
        )}
        <PasteLines
          open={open}
          faulty={faulty}
          refused={refused}
          touched={touched}
          onTouch={(cell) => setTouched(new Set([...touched, cell]))}
        />
        <DialogActions>
          {faulty.length + left > 0 && (
            <ToolButton onClick={save}>
              <Download size={14} aria-hidden="true" />
              {t("save", { count: faulty.length + left })}
            </ToolButton>
          )}
          {faulty.length > 0 && (
            <ToolButton disabled={isBusy} onClick={() => skip(faulty)}>
              {t("skip", { count: faulty.length })}
            </ToolButton>
          )}
          <ToolButton onClick={open.close}>{t("cancel")}</ToolButton>
          <ToolButton
            kind="primary"
            disabled={!isReady || isBusy}
            onClick={() => void open.write()}
          >
            {paste.creates.length === 0
              ? t("write", { count: paste.changes.length })
              : t("create", { changes: paste.changes.length, creates: paste.creates.length })}
          </ToolButton>
        </DialogActions>
      </div>
    </Dialog>
  );
}

/** The lines that cannot be written as they are. */
function faultyLines({ paste, refused }: OpenPaste): readonly number[] {
  const kept = paste.lines.filter(({ isSkipped }) => !isSkipped);
  return kept.flatMap(({ line, cells }) => {
    const isFaulty = cells.some((cell) => cell.state === "FAULT");
    return isFaulty || refused.some((fault) => fault.line === line) ? [line] : [];
  });
}

function faultyFileRows(lines: readonly number[], { draft, paste, refused }: OpenPaste) {
  return lines.map((line) => {
    const cells = draft.table[line] ?? [];
    const found = paste.lines.find((each) => each.line === line)?.cells ?? [];
    const own = found.flatMap(({ column, fault }) =>
      fault === undefined ? [] : [`${titleOf(column.column)}: ${fault}`],
    );
    const told = refused.filter((fault) => fault.line === line).map(({ text }) => text);
    return { place: { row: line, line: line + 1, text: "", cells }, reasons: [...own, ...told] };
  });
}

/** Where a paste goes, whether its first line names the columns, and whether keys change. */
function Arrangement({ open }: { readonly open: OpenPaste }) {
  const t = useTranslations("grid.paste");
  const id = useId();
  const { draft, place, paste } = open;
  const heads = headsOf(draft.table, place);
  const arrange = (parts: Partial<PasteDraft>) => {
    const next = { ...draft, ...parts };
    const named = next.hasHeads ? heads : null;
    open.change({ ...next, mapping: named ?? placedMapping(next.table, next.target, place) });
  };
  const hasChoice = place.mayCreate && place.rows.length > 0;
  return (
    <>
      {(hasChoice || heads !== null) && (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          {hasChoice && (
            <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <legend className="sr-only">{t("target")}</legend>
              {(["OVER", "APPEND"] as const).map((target) => (
                <div key={target} className="flex min-h-6 items-center gap-2">
                  <input
                    type="radio"
                    id={`${id}-${target}`}
                    name={id}
                    checked={draft.target === target}
                    onChange={() => arrange({ target })}
                    className="size-4 shrink-0 accent-accent"
                  />
                  <label htmlFor={`${id}-${target}`}>{t(target)}</label>
                </div>
              ))}
            </fieldset>
          )}
          {heads !== null && (
            <Checkbox
              label={t("heads")}
              isChecked={draft.hasHeads}
              onChange={(hasHeads) => arrange({ hasHeads })}
            />
          )}
        </div>
      )}
      {(paste.keyChanges > 0 || draft.changesKeys) && (
        <Notice kind="info">
          <p>{t(draft.changesKeys ? "keysChange" : "keysStay", { count: paste.keyChanges })}</p>
          <Checkbox
            label={t("changeKeys")}
            isChecked={draft.changesKeys}
            onChange={(changesKeys) => open.change({ ...draft, changesKeys })}
          />
        </Notice>
      )}
    </>
  );
}
