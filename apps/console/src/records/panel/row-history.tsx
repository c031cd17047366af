import type { HistoryChange } from "@rowhouse/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { addressOf, type RowKey } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { HistoryItem } from "./history-item.tsx";

const pageSize = 25;

interface RowHistoryProps {
  readonly resource: NavigationResource;
  readonly rowKey: RowKey;
  /** The row as it is now; undefined if it was deleted. */
  readonly row: GridRow | undefined;
  readonly changes: RowChanges;
}

/** The changes of a record, newest first. An earlier value can be put back. */
export function RowHistory({ resource, rowKey, row, changes }: RowHistoryProps) {
  const t = useTranslations("record");
  const describe = useFailureText();
  const status = useRef<HTMLParagraphElement>(null);
  const [restored, setRestored] = useState<string | undefined>();
  const query = useInfiniteQuery({
    queryKey: ["record", resource.id, rowKey, "history"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) =>
      client.from(addressOf(resource)).history(rowKey, { limit: pageSize, cursor, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const entries = query.data?.pages.flatMap((page) => page.entries);
  const putBack = async (
    base: GridRow,
    { field, old }: HistoryChange,
    title: string,
  ): Promise<void> => {
    const isWritten = await changes.write({ changes: [{ row: base, after: { [field]: old } }] });
    setRestored(isWritten ? title : undefined);
    // The button of a value that is back is gone.
    if (isWritten) status.current?.focus();
  };
  const error = changes.error ?? query.error ?? undefined;
  return (
    <div className="grid min-h-0 flex-1 content-start gap-2 overflow-auto px-4 py-2">
      {error !== undefined && <Notice kind="danger">{describe(error)}</Notice>}
      {entries === undefined && query.error === null && <Skeleton label={t("loading")} rows={6} />}
      <p ref={status} tabIndex={-1} role="status" className="text-2 text-ink-2">
        {restored !== undefined && t("isBack", { name: restored })}
        {entries?.length === 0 && t("noHistory")}
      </p>
      <ol aria-label={t("history")}>
        {entries?.map((entry) => (
          <HistoryItem
            key={entry.id}
            entry={entry}
            resource={resource}
            row={row}
            isBusy={changes.isBusy}
            onPutBack={(base, change, title) => void putBack(base, change, title)}
          />
        ))}
      </ol>
      {query.hasNextPage && (
        <ToolButton disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          {t("more")}
        </ToolButton>
      )}
    </div>
  );
}
