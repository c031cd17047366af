import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { GridRow, RowsState } from "../../records/rows/row-store.ts";
import type { RowChanges } from "../../records/rows/use-row-changes.ts";
import type { RowsView } from "./use-rows-view.ts";

/** What a dialog over several rows acts on. */
export interface BulkProps {
  readonly view: RowsView;
  readonly state: RowsState;
  /** The chosen rows. */
  readonly rows: readonly GridRow[];
  readonly changes: RowChanges;
  readonly onClose: () => void;
}

/** Offers all rows of the filter, where the grid shows them and knows their number. */
export function RowScope(
  props: Pick<BulkProps, "view" | "state" | "rows"> & {
    readonly isAll: boolean;
    readonly onChange: (isAll: boolean) => void;
  },
) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const name = useId();
  const { view, state, rows, isAll } = props;
  // A searched text is no filter that a write could have.
  if (view.search.search !== undefined || state.count === undefined) return null;
  const choices = [
    { isAll: false, text: t("scopeChosen", { count: rows.length }) },
    {
      isAll: true,
      text: t(view.search.where === undefined ? "scopeTable" : "scopeFilter", {
        count: format.number(state.count),
      }),
    },
  ];
  return (
    <fieldset className="grid gap-1">
      <legend className="sr-only">{t("scope")}</legend>
      {choices.map((choice) => (
        <label key={String(choice.isAll)} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={name}
            checked={isAll === choice.isAll}
            onChange={() => props.onChange(choice.isAll)}
            className="size-4 accent-accent"
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  );
}
