import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { CellValue } from "../../records/values/cell-value.tsx";
import { isNumeric } from "../../records/values/value-kind.ts";
import { classes } from "../../ui/classes.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Mark } from "../model/open-panel.ts";
import { type TableColumn, tableColumns } from "../model/panel-table.ts";
import { NoRows, type PanelProps } from "./panel-props.tsx";

const step = 200;

/** The rows of a panel as a table, from which each row of groups leads to its rows. */
export function PanelTable({ panel, ways, title, onDrill }: PanelProps) {
  const t = useTranslations("panels");
  const [shown, setShown] = useState(step);
  const columns = useMemo(() => tableColumns(panel, ways), [panel, ways]);
  const { rows = [], terms } = panel;
  const lines = useMemo(
    () => rows.slice(0, shown).map((row, at) => ({ key: String(at), row })),
    [rows, shown],
  );
  if (rows.length === 0) return <NoRows />;
  const markOf = (row: Mark): Mark =>
    Object.fromEntries((terms?.groups ?? []).map(({ name }) => [name, row[name] ?? null]));
  return (
    <div className="grid max-h-full grid-rows-[minmax(0,1fr)_auto] justify-items-start gap-2">
      <ScrollRegion label={t("table", { title })} className="max-h-full w-full scroll-pt-9">
        <table className="min-w-full border-separate border-spacing-0 text-left">
          <caption className="sr-only">{t("table", { title })}</caption>
          <thead className="text-ink-2">
            <tr>
              {columns.map(({ name, label, column }) => (
                <th
                  key={name}
                  scope="col"
                  dir="auto"
                  title={label}
                  className={classes(
                    "sticky top-0 max-w-80 truncate border-line border-b bg-canvas px-2.5 py-1 font-medium",
                    isNumeric(column) && "text-right",
                  )}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ key, row }) => (
              <tr key={key} className="hover:bg-sunken">
                {columns.map((item, index) => (
                  <Cell
                    key={item.name}
                    item={item}
                    row={row}
                    onOpen={
                      index === 0 && item.isGroup && onDrill !== undefined
                        ? () => onDrill(markOf(row))
                        : undefined
                    }
                    isHead={index === 0 && item.isGroup}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > shown && (
        <ToolButton onClick={() => setShown(shown + step)}>
          {t("moreRows", { count: rows.length - shown })}
        </ToolButton>
      )}
    </div>
  );
}

interface CellProps {
  readonly item: TableColumn;
  readonly row: Mark;
  /** The header of its row. */
  readonly isHead: boolean;
  readonly onOpen: (() => void) | undefined;
}

function Cell({ item, row, isHead, onOpen }: CellProps) {
  const t = useTranslations("panels");
  const look = classes(
    "h-(--row) max-w-80 border-line border-b px-2.5 font-normal",
    isNumeric(item.column) && "text-right tabular-nums",
  );
  const value = <TableValue item={item} row={row} />;
  const content =
    onOpen === undefined ? (
      value
    ) : (
      <button
        type="button"
        title={t("rows")}
        onClick={onOpen}
        className="flex min-h-6 max-w-full items-center text-left text-accent underline-offset-2 hover:underline"
      >
        {value}
      </button>
    );
  return isHead ? (
    <th scope="row" className={look}>
      {content}
    </th>
  ) : (
    <td className={look}>{content}</td>
  );
}

/** Groups are texts of their buckets; other values look as in every table. */
function TableValue({ item, row }: { readonly item: TableColumn; readonly row: Mark }) {
  const value = item.read(row);
  if (!item.isGroup || value === null || value === "") {
    return <CellValue column={item.column} value={value ?? null} />;
  }
  return (
    <bdi dir="auto" className="block truncate" title={item.textOf(row)}>
      {item.textOf(row)}
    </bdi>
  );
}
