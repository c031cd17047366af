import { writeName } from "@rowhouse/access/written-name";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { addressOf, type Row, titleOf } from "../../records/model/resource.ts";
import type { Filter } from "../../records/rows/rows-address.ts";
import { CellValue } from "../../records/values/cell-value.tsx";
import { isNumeric } from "../../records/values/value-kind.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { groupTerms, summedColumns } from "./own-request.ts";
import type { RowsView } from "./use-rows-view.ts";

const pageSize = 200;

/** The rows counted by the values of some columns, with sums. A group leads to its rows. */
export function GroupTable({
  view,
  names,
}: {
  readonly view: RowsView;
  readonly names: readonly string[];
}) {
  const t = useTranslations("grid");
  const format = useFormatter();
  const describe = useFailureText();
  const { resource, search } = view;
  const groups = names.flatMap(
    (name) => resource.columns.find((column) => column.name === name && column.readable) ?? [],
  );
  const sums = summedColumns(view, names);
  const { where, search: text } = search;
  const terms = groupTerms(view, names);
  const query = useInfiniteQuery({
    queryKey: ["groups", resource.id, names, where, text, terms.aggregate],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam: offset }) =>
      (
        await client.from(addressOf(resource)).aggregate({
          ...{ ...terms, signal, offset, limit: pageSize },
          ...(where === undefined ? {} : { where }),
          ...(text === undefined ? {} : { search: text }),
        })
      ).rows as readonly Row[],
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
  });
  if (query.error !== null) {
    return (
      <div className="p-4">
        <Notice kind="danger">{describe(query.error)}</Notice>
      </div>
    );
  }
  const rows = query.data?.pages.flat();
  if (rows === undefined) {
    return (
      <div className="p-4">
        <Skeleton label={t("loading")} rows={6} />
      </div>
    );
  }
  const openGroup = (row: Row) => {
    const parts = groups.map(({ name }): Filter => ({ [writeName(name)]: equalTo(row[name]) }));
    const all = [...(where === undefined ? [] : [where]), ...parts];
    view.change({ where: all.length === 1 ? all[0] : { _and: all }, group: undefined }, true);
  };
  const cell = "h-(--row) border-line border-r border-b px-2.25";
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-surface">
      <table className="border-separate border-spacing-0">
        <thead className="sticky top-0 bg-canvas text-ink-2">
          <tr>
            {groups.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={`${cell} text-left font-medium`}
                dir="auto"
              >
                {titleOf(column)}
              </th>
            ))}
            <th scope="col" className={`${cell} text-right font-medium`}>
              {t("rowCount")}
            </th>
            {sums.map(({ name, column }) => (
              <th key={name} scope="col" className={`${cell} text-right font-medium`} dir="auto">
                {t("sumOf", { name: titleOf(column) })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={JSON.stringify(groups.map(({ name }) => row[name]))}
              className="hover:bg-sunken"
            >
              {groups.map((column, index) => (
                <td key={column.name} className={`${cell} max-w-80 min-w-40`}>
                  {index === 0 ? (
                    <button
                      type="button"
                      onClick={() => openGroup(row)}
                      className="flex min-h-6 w-full min-w-0 items-center text-left text-accent underline-offset-2 hover:underline"
                    >
                      <GroupValue column={column} value={row[column.name]} />
                    </button>
                  ) : (
                    <GroupValue column={column} value={row[column.name]} />
                  )}
                </td>
              ))}
              <td className={`${cell} text-right tabular-nums`}>
                {format.number(Number(row["count_*"]))}
              </td>
              {sums.map(({ name, column }) => (
                <td key={name} className={`${cell} min-w-32`}>
                  <CellValue
                    column={{ ...column, baseType: "numeric" }}
                    value={row[`sum_${name}`]}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {query.hasNextPage && (
        <div className="p-3">
          <ToolButton onClick={() => void query.fetchNextPage()} disabled={query.isFetching}>
            {t("moreGroups")}
          </ToolButton>
        </div>
      )}
    </div>
  );
}

function GroupValue({
  column,
  value,
}: {
  readonly column: NavigationColumn;
  readonly value: unknown;
}) {
  return (
    <span className={isNumeric(column) ? "min-w-0 tabular-nums" : "min-w-0"}>
      <CellValue column={column} value={value} />
    </span>
  );
}

/** The condition that the values of a group meet. */
function equalTo(value: unknown): Filter {
  return value === null ? { _null: true } : { _eq: value };
}
