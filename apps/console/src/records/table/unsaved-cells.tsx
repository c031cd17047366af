import { type MouseEvent, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { CircleAlert } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { fieldFaults } from "../fields/form-fields.ts";
import type { UnsavedCell, UnsavedCells } from "../grid/unsaved-cell.tsx";
import { useFaultText, useRowFailureText } from "../model/fault-text.ts";
import { isEqual } from "../model/is-equal.ts";
import { titleOf } from "../model/resource.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";

type Key = Pick<UnsavedCell, "row" | "item">;
type Edit = Omit<UnsavedCell, "fault">;

/** Keeps what was typed into cells until the service has stored it. */
export function useUnsavedCells(
  changes: RowChanges,
): UnsavedCells & { write(edit: Edit): Promise<void> } {
  const t = useTranslations("grid.unsaved");
  const describe = useRowFailureText();
  const faultText = useFaultText();
  const [cells, setCells] = useState<readonly UnsavedCell[]>([]);
  const set = (cell: UnsavedCell) =>
    setCells((last) =>
      last.some((one) => isSame(one, cell))
        ? last.map((one) => (isSame(one, cell) ? cell : one))
        : [...last, cell],
    );
  const discard = (dropped: readonly Key[]) =>
    setCells((last) => last.filter((one) => !dropped.some((other) => isSame(one, other))));
  const write = async (edit: Edit): Promise<void> => {
    const { row, item, value } = edit;
    set({ ...edit, fault: undefined });
    const failure = await changes.writeCell({ row, after: { [item.name]: value } });
    if (failure === undefined) {
      discard([edit]);
      return;
    }
    // The service writes the row as the only one of a batch.
    const own = fieldFaults(failure, "/data/0/data", [item.name], (fault) =>
      faultText(fault, [item.column]),
    ).of(item.name);
    set({ ...edit, fault: own ?? describe(failure, [item.column]) });
  };
  useLeaveGuard(cells.length > 0, t("leave"), isOtherList, () => setCells([]));
  const byRow = useMemo(() => {
    const rows = new Map<string, Map<string, UnsavedCell>>();
    for (const cell of cells) {
      const columns = rows.get(cell.row.id) ?? new Map<string, UnsavedCell>();
      rows.set(cell.row.id, columns.set(cell.item.name, cell));
    }
    return rows;
  }, [cells]);
  return {
    ...{ byRow, write, discard },
    failed: cells.filter(({ fault }) => fault !== undefined),
    // One after the other: cells of one row share its version.
    retry: async (chosen) => {
      for (const cell of chosen) await write(cell);
    },
  };
}

function isSame(one: Key, other: Key): boolean {
  return one.row.id === other.row.id && one.item.name === other.item.name;
}

/** Parameters of an address that leave the rows as they are. */
const looks = new Set(["open", "order_by", "fields", "pinned", "view"]);

/** Whether two places of a page show different rows. */
function isOtherList(current: { readonly search: object }, next: { readonly search: object }) {
  const [before, after] = [current, next].map(
    ({ search }) => new Map<string, unknown>(Object.entries(search)),
  );
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...names].some(
    (name) => !looks.has(name) && !isEqual(before?.get(name), after?.get(name)),
  );
}

/** How many cells could not be saved, why the last one could not, and what can be done with all. Part of a bar below. */
export function UnsavedBar({ unsaved }: { readonly unsaved: UnsavedCells }) {
  const t = useTranslations("grid.unsaved");
  const { failed } = unsaved;
  const last = failed.at(-1);
  const act = (event: MouseEvent<HTMLElement>, work: UnsavedCells["discard"]) => {
    const section = event.currentTarget.closest("section");
    section?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    work(failed);
  };
  if (last === undefined) return null;
  const fault = t("fault", { name: titleOf(last.item.column), fault: last.fault ?? "" });
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-danger max-sm:flex-wrap">
      <CircleAlert size={14} aria-hidden="true" className="shrink-0" />
      <span className="shrink-0 font-medium">{t("count", { count: failed.length })}</span>
      <span role="alert" title={fault} dir="auto" className="min-w-0 truncate max-lg:sr-only">
        {fault}
      </span>
      <ToolButton className="h-6 px-1.5" onClick={(event) => act(event, unsaved.retry)}>
        {t("retryAll")}
      </ToolButton>
      <ToolButton
        kind="bare"
        className="h-6 px-1.5"
        onClick={(event) => act(event, unsaved.discard)}
      >
        {t("discardAll")}
      </ToolButton>
    </span>
  );
}
