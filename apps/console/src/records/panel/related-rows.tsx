import { writeName } from "@rowhouse/access/written-name";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { fieldsWithTitle, recordTitle } from "../model/record-title.ts";
import { targetOf } from "../model/reference.ts";
import { addressOf, keyOf, kindOf, readableColumns } from "../model/resource.ts";
import { SameTitles } from "../model/same-titles.tsx";
import { countRows } from "../rows/load-rows.ts";
import type { GridRow } from "../rows/row-store.ts";
import { emptySearch } from "../rows/rows-address.ts";
import { CellValue } from "../values/cell-value.tsx";
import { useWays } from "../values/ways.ts";
import type { PushRecord } from "./record-path.ts";

const pageSize = 25;

const namesOf = (target: NavigationResource) => readableColumns(target).map(({ name }) => name);
const shownColumns = 3;

/** The rows of another table that refer to a record. */
export function RelatedRows({
  row,
  relation,
  resources,
  onPush,
}: {
  readonly row: GridRow;
  readonly relation: NavigationRelation;
  readonly resources: readonly NavigationResource[];
  readonly onPush: PushRecord;
}) {
  const t = useTranslations("record");
  const format = useFormatter();
  const describe = useFailureText();
  const ways = useWays();
  const target = targetOf(resources, relation);
  const where = Object.fromEntries(
    (relation.columns ?? []).map(({ from, to }) => [writeName(to), { _eq: row.values[from] }]),
  );
  const fields = target === undefined ? [] : fieldsWithTitle(target, namesOf(target));
  const query = useInfiniteQuery({
    queryKey: ["related", relation.resource.id, where, fields],
    enabled: target !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      client.from(addressOf(relation.resource)).list({
        ...{ where, fields, limit: pageSize, signal },
        ...(cursor === undefined ? {} : { cursor }),
      }),
    getNextPageParam: (last) => last.meta.nextCursor,
  });
  const pages = query.data?.pages ?? [];
  const [first] = pages;
  const isWhole = first !== undefined && first.rows.length < pageSize;
  // The rows do not wait for their number.
  const counted = useQuery({
    queryKey: ["related count", relation.resource.id, where],
    enabled: first !== undefined && !isWhole,
    queryFn: ({ signal }) => countRows(relation.resource, { where }, signal),
  });
  const count = isWhole ? first.rows.length : counted.data;
  if (target === undefined) return null;
  const titled = new Set(target.title.map(({ field }) => field));
  const joined = new Set((relation.columns ?? []).map(({ to }) => to));
  const columns = readableColumns(target)
    .filter(({ name }) => !titled.has(name) && !joined.has(name))
    .filter(({ name }) => titled.size === 0 || !target.primaryKey.includes(name))
    .slice(0, shownColumns);
  return (
    <div className="grid min-h-0 flex-1 content-start gap-2 overflow-auto p-4">
      {query.error !== null && <Notice kind="danger">{describe(query.error)}</Notice>}
      {query.data === undefined && query.error === null && (
        <Skeleton label={t("loading")} rows={5} />
      )}
      {query.data !== undefined && (
        <p className="flex justify-between gap-3 text-2 text-ink-2">
          <span role="status">{count !== undefined && t("relatedCount", { count })}</span>
          <SameTitles resource={target} rows={first?.rows ?? []} />
          <Link
            to="/app/data/$schema/$kind/$name"
            params={{ schema: target.schema, kind: kindOf(target), name: target.name }}
            search={{ ...emptySearch, where }}
            className={linkClasses}
          >
            {t("inGrid")}
          </Link>
        </p>
      )}
      <ul className="grid">
        {pages
          .flatMap((page) => page.rows)
          .map((related, index) => {
            const key = keyOf(target, related);
            return (
              <li
                key={key === null ? index : JSON.stringify(key)}
                className="border-line border-b last:border-b-0"
              >
                <button
                  type="button"
                  disabled={key === null}
                  onClick={() => key !== null && onPush(target, key)}
                  className="grid w-full min-w-0 gap-0.5 rounded-control px-2 py-1.5 text-left hover:bg-sunken"
                >
                  <bdi className="min-w-0 truncate font-medium">
                    {recordTitle(target, related, ways) ??
                      key?.join(", ") ??
                      format.number(index + 1)}
                  </bdi>
                  <span className="flex min-w-0 gap-3 overflow-hidden text-2 text-ink-2">
                    {columns.map((column) => (
                      <span key={column.name} className="flex min-w-0 max-w-1/2">
                        <CellValue column={column} value={related[column.name]} />
                      </span>
                    ))}
                  </span>
                </button>
              </li>
            );
          })}
      </ul>
      {query.hasNextPage && (
        <ToolButton disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {t("more")}
        </ToolButton>
      )}
    </div>
  );
}
