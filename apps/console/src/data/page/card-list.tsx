import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { GridValue } from "../../records/grid/grid-value.tsx";
import { labelColumn, titleOf } from "../../records/model/resource.ts";
import type { GridRow, RowsState } from "../../records/rows/row-store.ts";
import type { RowsView } from "./use-rows-view.ts";

const shownFields = 5;

/** The rows as cards, for windows that are too narrow for a grid. */
export function CardList({
  view,
  state,
  onNearEnd,
  onOpen,
}: {
  readonly view: RowsView;
  readonly state: RowsState;
  readonly onNearEnd: () => void;
  readonly onOpen: (row: GridRow) => void;
}) {
  const t = useTranslations("grid");
  const end = useRef<HTMLDivElement>(null);
  const label = labelColumn(view.resource);
  const title = view.columns.find(({ name }) => name === label?.name) ?? view.columns[0];
  const fields = view.columns.filter((item) => item !== title).slice(0, shownFields);
  const { isComplete } = state;
  useEffect(() => {
    if (end.current === null || isComplete) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) onNearEnd();
      },
      { rootMargin: "600px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isComplete, onNearEnd]);
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <ul className="grid gap-2 p-2">
        {state.rows.map((row) => (
          <li key={row.id} className="contain-content [content-visibility:auto]">
            <button
              type="button"
              onClick={() => onOpen(row)}
              aria-disabled={row.key === null}
              className="grid w-full gap-1 rounded-panel border border-line bg-surface p-3 text-left"
            >
              <span className="min-w-0 font-medium">
                {title !== undefined && <GridValue item={title} values={row.values} />}
              </span>
              {fields.map((item) => (
                <span key={item.name} className="grid grid-cols-[40%_1fr] gap-2">
                  <span className="truncate text-ink-2" dir="auto">
                    {titleOf(item.column)}
                  </span>
                  <span className="flex min-w-0 overflow-hidden">
                    <GridValue item={item} values={row.values} />
                  </span>
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
      {!isComplete && (
        <div ref={end} role="status" className="p-4 text-center text-ink-2">
          {t("loading")}
        </div>
      )}
    </div>
  );
}
