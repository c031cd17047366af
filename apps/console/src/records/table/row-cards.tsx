import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { GridValue } from "../grid/grid-value.tsx";
import { recordTitle } from "../model/record-title.ts";
import { titleOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import { useWays } from "../values/ways.ts";

const shownFields = 5;

/** The rows as cards, for windows that are too narrow for a grid. */
export function RowCards({
  resource,
  columns,
  rows,
  isComplete,
  onNearEnd,
  onOpen,
}: {
  readonly resource: NavigationResource;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
  readonly isComplete: boolean;
  readonly onNearEnd: () => void;
  readonly onOpen: (row: GridRow) => void;
}) {
  const t = useTranslations("grid");
  const end = useRef<HTMLDivElement>(null);
  const ways = useWays();
  const titled = new Set(resource.title.map(({ field }) => field));
  // Without the columns of the title, a card begins with the first column.
  const isTitled = columns.some(({ name }) => titled.has(name));
  const [first] = columns;
  const fields = columns
    .filter((item) => (isTitled ? !titled.has(item.name) : item !== first))
    .slice(0, shownFields);
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
        {rows.map((row) => (
          <li key={row.id} className="contain-content [content-visibility:auto]">
            <button
              type="button"
              onClick={() => onOpen(row)}
              aria-disabled={row.key === null}
              className="grid w-full gap-1 rounded-panel border border-line bg-surface p-3 text-left"
            >
              <span className="min-w-0 font-medium">
                {isTitled ? (
                  <bdi className="block truncate">
                    {recordTitle(resource, row.values, ways) ?? row.key?.join(", ")}
                  </bdi>
                ) : (
                  first !== undefined && <GridValue item={first} values={row.values} />
                )}
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
