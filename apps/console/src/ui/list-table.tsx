import type { ReactNode } from "react";
import { classes } from "./classes.ts";

/** A column of a list. */
export interface ListColumn<Item> {
  readonly key: string;
  readonly label: string;
  /** Width of the column, such as `w-40`; the others share the rest. */
  readonly width?: string;
  /** Whether the values are numbers, which are right aligned. */
  readonly isNumber?: boolean;
  readonly cell: (item: Item) => ReactNode;
}

interface ListTableProps<Item> {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly columns: readonly ListColumn<Item>[];
  readonly keyOf: (item: Item) => string;
  /** Whether it has so many columns that a narrow window scrolls it. */
  readonly isWide?: boolean;
}

/** A list of records as a table. The first column names the record. On a phone each record is a card. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { label, items, columns, keyOf, isWide = false } = props;
  return (
    <div className="overflow-x-auto rounded-panel border border-line bg-surface">
      <table
        aria-label={label}
        className={classes(
          "w-full border-collapse text-left max-sm:block sm:table-fixed",
          isWide && "sm:min-w-256",
        )}
      >
        <thead className="border-line border-b text-2 text-ink-2 max-sm:sr-only">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classes(
                  "px-3 py-1.5 font-medium",
                  column.width,
                  column.isNumber && "text-right",
                )}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {items.map((item) => (
            <tr
              key={keyOf(item)}
              className="border-line border-b last:border-b-0 hover:bg-sunken max-sm:block max-sm:py-2"
            >
              {columns.map((column, index) => {
                const Cell = index === 0 ? "th" : "td";
                return (
                  <Cell
                    key={column.key}
                    {...(index === 0 ? { scope: "row" as const } : {})}
                    className={classes(
                      "min-h-(--row) px-3 py-1 align-middle font-normal max-sm:flex max-sm:gap-2 max-sm:py-0.5",
                      column.isNumber && "text-right tabular-nums",
                    )}
                  >
                    {index > 0 && (
                      <span
                        aria-hidden="true"
                        className="w-28 shrink-0 text-left text-2 text-ink-2 sm:hidden"
                      >
                        {column.label}
                      </span>
                    )}
                    <span className="block min-w-0 truncate max-sm:whitespace-normal max-sm:wrap-anywhere">
                      {column.cell(item)}
                    </span>
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
