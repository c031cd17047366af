import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { GridValue } from "../../records/grid/grid-value.tsx";
import { recordPath } from "../../records/model/record-path.ts";
import { titleOf } from "../../records/model/resource.ts";
import { firstPage } from "../../records/rows/load-rows.ts";
import { RowStore } from "../../records/rows/row-store.ts";
import type { Filter } from "../../records/rows/rows-address.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RowsView } from "./use-rows-view.ts";

const pageSize = 50;

/** The rows of a group below it, in the columns of the view that do not tell the groups apart. */
export function GroupRows(props: {
  readonly view: RowsView;
  /** The columns of the groups. */
  readonly names: readonly string[];
  /** The filter of this group. */
  readonly where: Filter;
}) {
  const { view, names } = props;
  const t = useTranslations("grid");
  const describe = useFailureText();
  const { resource, fields, search } = view;
  const columns = view.columns.filter(({ name }) => !names.includes(name));
  const whereText = JSON.stringify(props.where);
  const fieldList = JSON.stringify(fields);
  const { order_by: orderBy, search: text } = search;
  const store = useMemo(() => {
    const request = { where: JSON.parse(whereText), fields: JSON.parse(fieldList) };
    return new RowStore(firstPage({ ...request, resource, orderBy, search: text }, pageSize));
  }, [resource, whereText, fieldList, orderBy, text]);
  const { rows, isLoading, isComplete, error } = useSyncExternalStore(
    store.subscribe,
    () => store.state,
  );
  useEffect(() => {
    store.loadMore();
    return () => store.stop();
  }, [store]);
  if (rows.length === 0 && error === undefined) {
    return (
      <div className="p-3">
        <Skeleton label={t("loading")} rows={2} />
      </div>
    );
  }
  const cell = "h-(--row) max-w-80 border-line border-b px-2.25";
  return (
    <div className="border-line-strong border-l-2 pl-5">
      <table className="border-separate border-spacing-0">
        <thead className="text-2 text-ink-2">
          <tr>
            {columns.map(({ name, column, isNumeric }) => (
              <th
                key={name}
                scope="col"
                dir="auto"
                className={`${cell} font-medium ${isNumeric ? "text-right" : "text-left"}`}
              >
                {titleOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, key, values }) => (
            <tr key={id} className="hover:bg-sunken">
              {columns.map((item, index) => (
                <td key={item.name} className={cell}>
                  {index === 0 && key !== null ? (
                    <button
                      type="button"
                      onClick={() => view.openRecords([recordPath(resource, key)], true)}
                      className="flex min-h-6 w-full min-w-0 items-center text-left text-accent underline-offset-2 hover:underline"
                    >
                      <GridValue item={item} values={values} />
                    </button>
                  ) : (
                    <GridValue item={item} values={values} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {error !== undefined && <Notice kind="danger">{describe(error)}</Notice>}
      <div className="flex gap-2 py-2">
        {error !== undefined ? (
          <ToolButton onClick={() => store.retry()}>{t("retry")}</ToolButton>
        ) : (
          !isComplete && (
            <ToolButton disabled={isLoading} onClick={() => store.loadMore()}>
              {t("moreGroups")}
            </ToolButton>
          )
        )}
        <ToolButton
          kind="bare"
          onClick={() => view.change({ where: props.where, group: undefined }, true)}
        >
          {t("onlyGroup")}
        </ToolButton>
      </div>
    </div>
  );
}
