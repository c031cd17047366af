import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { labelOfAggregate, labelOfGroup } from "../model/labels.ts";
import type { AggregateTerm, GroupTerm, Mark } from "../model/open-panel.ts";
import { columnOfAggregate, columnOfGroup } from "../model/panel-columns.ts";
import { amountText, groupText } from "../model/panel-ways.ts";
import { type PivotKey, readPivot } from "../model/pivot.ts";
import { NoRows, type PanelProps } from "./panel-props.tsx";

const head = "border-line border-b bg-canvas px-2.5 py-1 font-medium";
const cell = "h-(--row) border-line border-b px-2.5 text-right tabular-nums";

/** A table of groups against groups, with the headers of its lines and columns. */
export function PivotPanel({ panel, ways, title, onDrill }: PanelProps) {
  const t = useTranslations("panels");
  const { terms, fields = [], totals, cut = false } = panel;
  const pivot = useMemo(() => readPivot(panel), [panel]);
  if (terms === undefined || pivot.rows.length === 0) return <NoRows />;
  const { aggregates } = terms;
  const hasTotals = totals !== undefined;
  const isCrossed = pivot.columnTerms.length > 0;
  // The name of the one aggregate below every column says nothing.
  const isPlain = isCrossed && aggregates.length === 1;
  const sides = hasTotals && isCrossed ? [...pivot.columns, null] : pivot.columns;
  const words = (term: GroupTerm, key: PivotKey) =>
    groupText(term, columnOfGroup(term, fields), key.values[term.name], ways);
  const nameOf = (side: PivotKey | null) =>
    side === null ? t("total") : pivot.columnTerms.map((term) => words(term, side)).join(" · ");
  const amount = (term: AggregateTerm, value: unknown) =>
    value === undefined ? "" : amountText(columnOfAggregate(term, fields), value, ways);
  return (
    <div className="grid max-h-full grid-rows-[minmax(0,1fr)_auto] gap-1.5">
      <ScrollRegion label={t("table", { title })} className="max-h-full scroll-py-9">
        <table className="min-w-full border-separate border-spacing-0 text-left">
          <caption className="sr-only">{t("table", { title })}</caption>
          <thead className="text-ink-2">
            {isCrossed && (
              <tr>
                {pivot.rowTerms.map((term) => (
                  <th
                    key={term.name}
                    scope="col"
                    rowSpan={isPlain ? 1 : 2}
                    className={`${head} align-bottom`}
                    dir="auto"
                  >
                    {labelOfGroup(term, fields)}
                  </th>
                ))}
                {sides.map((side) => (
                  <th
                    key={side?.key ?? "total"}
                    scope={isPlain ? "col" : "colgroup"}
                    colSpan={aggregates.length}
                    className={`${head} max-w-60 truncate border-s text-right`}
                    dir="auto"
                    title={nameOf(side)}
                  >
                    {nameOf(side)}
                  </th>
                ))}
              </tr>
            )}
            {!isPlain && (
              <tr>
                {!isCrossed &&
                  pivot.rowTerms.map((term) => (
                    <th key={term.name} scope="col" className={head} dir="auto">
                      {labelOfGroup(term, fields)}
                    </th>
                  ))}
                {sides.map((side) =>
                  aggregates.map((term) => (
                    <th
                      key={`${side?.key ?? "total"} ${term.name}`}
                      scope="col"
                      className={`${head} max-w-60 truncate text-right`}
                      dir="auto"
                      title={labelOfAggregate(term, fields, ways)}
                    >
                      {labelOfAggregate(term, fields, ways)}
                    </th>
                  )),
                )}
              </tr>
            )}
          </thead>
          <tbody>
            {pivot.rows.map((row) => (
              <tr key={row.key} className="hover:bg-sunken">
                {pivot.rowTerms.map((term) => (
                  <th
                    key={term.name}
                    scope="row"
                    className="h-(--row) max-w-60 truncate border-line border-b px-2.5 font-normal"
                    dir="auto"
                    title={words(term, row)}
                  >
                    {words(term, row)}
                  </th>
                ))}
                {sides.map((side) => cells(row, side))}
              </tr>
            ))}
          </tbody>
          {hasTotals && (
            <tfoot className="font-medium">
              <tr>
                <th
                  scope="row"
                  colSpan={pivot.rowTerms.length}
                  className="sticky bottom-0 h-(--row) border-line border-t bg-canvas px-2.5"
                >
                  {t("total")}
                </th>
                {sides.map((side) =>
                  aggregates.map((term) => (
                    <td
                      key={`${side?.key ?? "total"} ${term.name}`}
                      className="sticky bottom-0 border-line border-t bg-canvas px-2.5 text-right tabular-nums"
                    >
                      {drillable(amount(term, pivot.valuesOf(null, side)?.[term.name]), {
                        ...side?.values,
                      })}
                    </td>
                  )),
                )}
              </tr>
            </tfoot>
          )}
        </table>
      </ScrollRegion>
      {cut && <p className="text-2 text-ink-2">{t("facts.more")}</p>}
    </div>
  );

  function cells(row: PivotKey, side: PivotKey | null) {
    const values = pivot.valuesOf(row, side);
    return aggregates.map((term) => (
      <td key={`${side?.key ?? "total"} ${term.name}`} className={cell}>
        {drillable(amount(term, values?.[term.name]), { ...row.values, ...side?.values })}
      </td>
    ));
  }

  function drillable(text: string, mark: Mark) {
    if (onDrill === undefined || text === "") return text;
    return (
      <button
        type="button"
        title={t("rows")}
        onClick={() => onDrill(mark)}
        className="min-h-6 min-w-6 text-right underline-offset-2 hover:text-accent hover:underline"
      >
        {text}
      </button>
    );
  }
}
