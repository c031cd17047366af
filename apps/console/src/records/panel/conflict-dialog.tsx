import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Moment } from "../../shell/moment.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { addressOf, type Row, type RowKey, titleOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowConflict } from "../rows/row-writes.ts";
import { CellValue } from "../values/cell-value.tsx";
import { Author } from "./history-item.tsx";

/** A row that another person has changed meanwhile: both versions, and the choice field by field. */
export function ConflictDialog({
  resource,
  conflict,
  onResolve,
  onClose,
}: {
  readonly resource: NavigationResource;
  readonly conflict: RowConflict;
  /** Takes the chosen columns over the present row; none leaves it as it is. */
  readonly onResolve: (current: GridRow, chosen: Row) => void;
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
        <DialogActions>
          <ToolButton onClick={onClose}>{t("close")}</ToolButton>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("conflictTitle")} onClose={onClose} isWide>
      {resource.history && current.key !== null && (
        <LastChange resource={resource} rowKey={current.key} />
      )}
      <p className="text-ink-2">{t("conflictText")}</p>
      <div className="grid gap-3">
        {names.map((name) => {
          const column = resource.columns.find((one) => one.name === name);
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
      <DialogActions>
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
      </DialogActions>
    </Dialog>
  );
}

/** Who has changed the row last, and when, where the table keeps its history. */
function LastChange(props: { readonly resource: NavigationResource; readonly rowKey: RowKey }) {
  const { resource, rowKey } = props;
  const { data } = useQuery({
    queryKey: ["record", resource.id, rowKey, "history", "last"],
    queryFn: ({ signal }) => client.from(addressOf(resource)).history(rowKey, { limit: 1, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const [last] = data?.entries ?? [];
  if (last === undefined) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <Author by={last.by} />
      <Moment at={last.at} hasTime />
    </p>
  );
}
