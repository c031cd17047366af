import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { useManagedQuestion } from "../../shell/managed.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Plus } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toolClasses } from "../../ui/tool-button.tsx";
import { DeleteReadingDialog } from "./delete-reading-dialog.tsx";
import { ReadingTable } from "./entry-table.tsx";
import { managedReading, type ReadingApi, type ReadingEntry, readingsKey } from "./reading-api.ts";

interface ReadingListPageProps {
  readonly api: ReadingApi;
  readonly search: string | undefined;
  readonly onSearch: (search: string | undefined) => void;
}

/** Every DataView or dashboard, in the order of the navigation. */
export function ReadingListPage({ api, search, onSearch }: ReadingListPageProps) {
  const t = useTranslations("readings");
  const words = useTranslations("manage");
  const [deleted, askToDelete] = useState<ReadingEntry>();
  const { ask, question } = useManagedQuestion();
  const { kind, path } = api;
  const { data, error, refetch } = useQuery({
    queryKey: readingsKey(kind),
    queryFn: ({ signal }) => api.load(signal),
    staleTime: 0,
  });
  const deeds = useReadingDeeds(api);
  useTitle(t(`${kind}.title`));
  const wanted = (search ?? "").toLowerCase();
  const shown = data?.filter((entry) =>
    `${entry.name} ${entry.description}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={pageClasses}>
      <PageHead title={t(`${kind}.title`)} text={t(`${kind}.text`)}>
        <AppLink href={`${path}/new`} className={toolClasses("primary")}>
          <Plus size={15} aria-hidden="true" />
          {t(`${kind}.new`)}
        </AppLink>
      </PageHead>
      <SearchField label={t(`${kind}.search`)} value={search} onChange={onSearch} />
      {deeds.failure !== undefined && <Notice kind="danger">{deeds.failure}</Notice>}
      <p role="status" className="sr-only">
        {deeds.status}
      </p>
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={6} />}
      {data?.length === 0 && (
        <EmptyState title={t(`${kind}.empty`)} text={t(`${kind}.emptyText`)} />
      )}
      {data !== undefined && data.length > 0 && shown?.length === 0 && (
        <EmptyState title={words("nothingFound")} />
      )}
      {shown !== undefined && shown.length > 0 && (
        <ReadingTable
          api={api}
          entries={shown}
          mayMove={wanted === "" && !deeds.isBusy}
          onMove={(entry, by) => {
            const next = moveEntry(data ?? [], entry.id, by);
            const before = new Map(data?.map(({ id, position }) => [id, position]));
            const moved = next.filter(({ id, position }) => before.get(id) !== position);
            ask(
              moved.map(({ name }) => managedReading(api, name)),
              () => deeds.move(data ?? [], next, entry),
            );
          }}
          onDuplicate={deeds.duplicate}
          onDelete={(entry) => ask([managedReading(api, entry.name)], () => askToDelete(entry))}
        />
      )}
      {question}
      {deleted !== undefined && (
        <DeleteReadingDialog api={api} entry={deleted} onClose={() => askToDelete(undefined)} />
      )}
    </div>
  );
}

/** Moves and copies entries of a list, and says what it has done. */
function useReadingDeeds(api: ReadingApi) {
  const t = useTranslations("readings");
  const describe = useFailureText();
  const queries = useQueryClient();
  const open = useOpen();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [status, setStatus] = useState("");
  const queryKey = readingsKey(api.kind);
  const run = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      setStatus(await work());
    } catch (error) {
      setFailure(describe(error));
    } finally {
      await Promise.all([
        queries.invalidateQueries({ queryKey }),
        queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
      ]);
      setBusy(false);
    }
  };
  return {
    ...{ isBusy, failure, status },
    move: (entries: readonly ReadingEntry[], next: readonly ReadingEntry[], entry: ReadingEntry) =>
      void run(async () => {
        queries.setQueryData(queryKey, next);
        const before = new Map(entries.map(({ id, position }) => [id, position]));
        for (const { id, position } of next) {
          if (before.get(id) !== position) await api.place(id, position);
        }
        const place = next.findIndex(({ id }) => id === entry.id) + 1;
        return t("moved", { name: entry.name, place, count: next.length });
      }),
    duplicate: (entry: ReadingEntry) =>
      void run(async () => {
        const id = await api.duplicate(entry.id, t("copyOf", { name: entry.name }).slice(0, 100));
        open(`${api.path}/${id}`);
        return t("duplicated", { name: entry.name });
      }),
  };
}

/**
 * Returns entries with one of them moved by some places, and with the positions that keep this order. Positions that
 * already do are not changed.
 *
 * @param entries in the order of the navigation
 */
function moveEntry(
  entries: readonly ReadingEntry[],
  id: string,
  by: number,
): readonly ReadingEntry[] {
  const from = entries.findIndex((one) => one.id === id);
  const moved = entries[from];
  if (moved === undefined) return entries;
  const to = Math.max(0, Math.min(entries.length - 1, from + by));
  const others = entries.filter((one) => one !== moved);
  const order = [...others.slice(0, to), moved, ...others.slice(to)];
  const before = new Map(entries.map((entry, index) => [entry.id, index]));
  const placed: ReadingEntry[] = [];
  for (const entry of order) {
    const last = placed.at(-1);
    placed.push(last === undefined ? entry : { ...entry, position: after(last, entry, before) });
  }
  return placed;
}

/** Returns the position of an entry that follows another one. Within a position, the order of the names remains. */
function after(
  last: ReadingEntry,
  entry: ReadingEntry,
  before: ReadonlyMap<string, number>,
): number {
  if (entry.position > last.position) return entry.position;
  const followed = (before.get(last.id) ?? 0) < (before.get(entry.id) ?? 0);
  return followed ? last.position : last.position + 1;
}
