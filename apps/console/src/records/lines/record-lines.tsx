import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { PushRecord } from "../model/record-path.ts";
import { relatedFilter } from "../model/reference.ts";
import { firstPage } from "../rows/load-rows.ts";
import type { GridRow } from "../rows/row-store.ts";
import { listOf } from "../table/rows-search.ts";
import { fieldsOf, shownColumns } from "../table/shown-columns.ts";
import { InGrid } from "./in-grid.tsx";
import { LineChips } from "./line-chips.tsx";
import type { LineList } from "./line-list.ts";
import { type LinesProps, LineTable } from "./line-table.tsx";
import {
  type LineFaults,
  linesOf,
  rebase,
  removeLine,
  restoreLine,
  setLine,
} from "./lines-draft.ts";
import type { LineDrafts } from "./use-line-drafts.ts";

interface RecordLinesProps {
  readonly list: LineList;
  readonly resources: readonly NavigationResource[];
  /** The record; undefined for a new one, which has no lines yet. */
  readonly row: GridRow | undefined;
  readonly drafts: LineDrafts;
  readonly faults: ReadonlyMap<string, LineFaults>;
  /** Whether the heading of the list stands elsewhere. */
  readonly isUntitled?: boolean;
  readonly onPush: PushRecord | null;
}

/** Lines that a form shows; the others stand in the grid. */
const shownMax = 100;

/** The lines of a record in one list: as a table, or as chips where a line is nothing but a reference. */
export function RecordLines(props: RecordLinesProps) {
  const { list, resources, row, drafts, faults, onPush } = props;
  const { relation, target } = list;
  const t = useTranslations("record");
  const describe = useFailureText();
  const titleId = useId();
  const columns = useMemo(() => {
    const { primaryKey } = target;
    const names = list.fields.flatMap((field) =>
      field.kind === "COLUMN"
        ? [field.column.name]
        : field.reference.columns.map(({ name }) => name),
    );
    const fields = listOf([...new Set([...primaryKey, ...names])]);
    return shownColumns(target, resources, { fields, pinned: undefined }, {});
  }, [list, target, resources]);
  const fields = useMemo(() => fieldsOf(target, columns), [target, columns]);
  const where = relatedFilter(relation, row?.values ?? {});
  const { data, error } = useQuery({
    queryKey: ["related", target.id, "lines", where, fields],
    enabled: row !== undefined,
    queryFn: ({ signal }) =>
      firstPage(
        { resource: target, fields, where, orderBy: undefined, search: undefined },
        shownMax,
      )(signal),
  });
  // A save that found another version at a line has loaded the lines again.
  const isRefused = faults.size > 0;
  const rows = data?.rows;
  useEffect(() => {
    if (isRefused && rows !== undefined) drafts.set(list, (last) => rebase(last, rows));
  }, [isRefused, rows, list, drafts.set]);
  const lines = linesOf(data?.rows ?? [], drafts.draftOf(list), (one) => drafts.idOf(list, one));
  const shared: LinesProps = {
    ...{ list, resources, lines, columns, faults, onPush, nextId: drafts.nextId(list) },
    onChange: (line, values) => drafts.set(list, (last) => setLine(last, line, values)),
    onRemove: (line) => drafts.set(list, (last) => removeLine(last, line)),
    onRestore: ({ id }) => drafts.set(list, (last) => restoreLine(last, id)),
  };
  return (
    <section
      aria-labelledby={props.isUntitled === true ? undefined : titleId}
      className="grid min-w-0 gap-1.5"
    >
      {props.isUntitled !== true && (
        <h2 id={titleId} className="font-medium" dir="auto">
          {relation.label}
        </h2>
      )}
      {data !== undefined && (data.next !== null || props.isUntitled === true) && (
        <p className="flex items-center gap-3 text-2 text-ink-2">
          <span role="status">
            {data.next === null
              ? t("relatedCount", { count: data.rows.length })
              : t("moreLines", { count: shownMax })}
          </span>
          <InGrid target={target} where={where} />
        </p>
      )}
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {row !== undefined && data === undefined && error === null ? (
        <Skeleton label={t("loading")} rows={3} />
      ) : list.isChips ? (
        <LineChips {...shared} />
      ) : (
        <div className="relative -m-0.5 min-w-0 overflow-x-auto p-0.5">
          <LineTable
            {...shared}
            idOf={({ id, base }) => (base === undefined ? id : drafts.idOf(list, base))}
          />
        </div>
      )}
      {drafts.isTooMany && (
        <p role="alert" className="text-2 text-danger">
          {t("tooManyLines", { count: drafts.count })}
        </p>
      )}
    </section>
  );
}
