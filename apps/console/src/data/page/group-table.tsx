import { writeName } from "@rowhouse/access/written-name";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { targetOf } from "../../records/model/reference.ts";
import {
  addressOf,
  titleOf as labelOf,
  type Row,
  referenceOf,
} from "../../records/model/resource.ts";
import {
  type RowReferences,
  type RowTitleOf,
  useRowTitles,
} from "../../records/model/use-row-titles.ts";
import type { Filter } from "../../records/rows/rows-address.ts";
import { CellValue } from "../../records/values/cell-value.tsx";
import { isNumeric } from "../../records/values/value-kind.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { FoldButton } from "../../ui/fold-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { GroupRows } from "./group-rows.tsx";
import { groupTerms, summedColumns } from "./own-request.ts";
import type { RowsView } from "./use-rows-view.ts";

const pageSize = 200;

/** The rows counted by the values of some columns, with sums. A group opens in place. */
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
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
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
  const rows = query.data?.pages.flat();
  const heads = groupHeads(resource, view.resources, groups);
  const titleOf = useRowTitles(
    heads.flatMap(({ reference, columns }) => {
      const keys = (rows ?? []).map((row) => columns.map(({ name }) => row[name]));
      const values = keys.filter((key) => key.every((value) => value !== null));
      return reference === undefined ? [] : [{ ...reference, values }];
    }),
  );
  if (query.error !== null) {
    return (
      <div className="p-4">
        <Notice kind="danger">{describe(query.error)}</Notice>
      </div>
    );
  }
  if (rows === undefined) {
    return (
      <div className="p-4">
        <Skeleton label={t("loading")} rows={6} />
      </div>
    );
  }
  const filterOf = (row: Row): Filter => {
    const parts = groups.map(({ name }): Filter => ({ [writeName(name)]: equalTo(row[name]) }));
    const [first = {}, ...rest] = where === undefined ? parts : [where, ...parts];
    return rest.length === 0 ? first : { _and: [first, ...rest] };
  };
  const toggle = (key: string, isOpen: boolean) =>
    setOpened((last) => new Set(isOpen ? [...last, key] : [...last].filter((one) => one !== key)));
  const cell = "h-(--row) border-line border-r border-b px-2.25";
  return (
    <div className="min-h-0 flex-1 scroll-pt-12 overflow-auto bg-surface">
      <table className="border-separate border-spacing-0">
        <thead className="sticky top-0 bg-canvas text-ink-2">
          <tr>
            {heads.map(({ name, label }) => (
              <th key={name} scope="col" className={`${cell} text-left font-medium`} dir="auto">
                {label}
              </th>
            ))}
            <th scope="col" className={`${cell} text-right font-medium`}>
              {t("rowCount")}
            </th>
            {sums.map(({ name, column }) => (
              <th key={name} scope="col" className={`${cell} text-right font-medium`} dir="auto">
                {t("sumOf", { name: labelOf(column) })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = JSON.stringify(groups.map(({ name }) => row[name]));
            const isOpen = opened.has(key);
            return (
              <Fragment key={key}>
                <tr className="hover:bg-sunken">
                  {heads.map((head, index) => (
                    <td key={head.name} className={`${cell} max-w-80 min-w-40`}>
                      {index === 0 ? (
                        <FoldButton
                          className="gap-1.5"
                          isOpen={isOpen}
                          onToggle={(next) => toggle(key, next)}
                        >
                          <GroupValue head={head} row={row} titleOf={titleOf} />
                        </FoldButton>
                      ) : (
                        <GroupValue head={head} row={row} titleOf={titleOf} />
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
                {isOpen && (
                  <tr>
                    <td
                      colSpan={heads.length + 1 + sums.length}
                      className="border-line border-b bg-canvas p-0"
                    >
                      <GroupRows view={view} names={names} where={filterOf(row)} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
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

/** A column of the table: one of the rows, or those that together refer to another row. */
interface GroupHead {
  readonly name: string;
  readonly label: string;
  readonly columns: readonly NavigationColumn[];
  /** The rows that it refers to, if their titles are known. */
  readonly reference: Omit<RowReferences, "values"> | undefined;
}

/** Returns the columns of the table; a reference of several columns is one of them if all are grouped. */
function groupHeads(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
  groups: readonly NavigationColumn[],
): readonly GroupHead[] {
  const referring = (relation: NavigationRelation | undefined) => {
    const target = targetOf(resources, relation);
    const isTitled = target !== undefined && target.title.length > 0;
    return isTitled && relation !== undefined ? { relation, target } : undefined;
  };
  const composites = resource.relations.flatMap((relation) => {
    const reference = referring(relation);
    const pairs = relation.columns ?? [];
    const columns = pairs.flatMap(({ from }) => groups.find(({ name }) => name === from) ?? []);
    const isWhole = columns.length > 1 && columns.length === pairs.length;
    return isWhole && relation.foreignKey === "OWN" && reference !== undefined
      ? [{ name: relation.name, label: relation.label, columns, reference }]
      : [];
  });
  return groups.flatMap((column): GroupHead[] => {
    const whole = composites.find(({ columns }) => columns.includes(column));
    if (whole !== undefined) return whole.columns[0] === column ? [whole] : [];
    const reference = referring(referenceOf(resource, column));
    return [{ name: column.name, label: labelOf(column), columns: [column], reference }];
  });
}

function GroupValue(props: {
  readonly head: GroupHead;
  readonly row: Row;
  readonly titleOf: RowTitleOf;
}) {
  const { head, row, titleOf } = props;
  const { columns, reference } = head;
  const values = columns.map(({ name }) => row[name]);
  const title = reference && titleOf(reference.relation, values);
  if (title !== undefined) {
    return (
      <span className="block min-w-0 truncate" dir="auto" title={title}>
        {title}
      </span>
    );
  }
  return (
    <span className="flex min-w-0 gap-2">
      {columns.map((column) => (
        <span key={column.name} className={isNumeric(column) ? "min-w-0 tabular-nums" : "min-w-0"}>
          <CellValue column={column} value={row[column.name]} />
        </span>
      ))}
    </span>
  );
}

/** The condition that the values of a group meet. */
function equalTo(value: unknown): Filter {
  return value === null ? { _null: true } : { _eq: value };
}
