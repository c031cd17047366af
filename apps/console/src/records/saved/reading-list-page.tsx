import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
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
import { type ReadingApi, type ReadingEntry, readingsKey } from "./reading-api.ts";
import { useReadingDeeds } from "./use-reading-deeds.ts";

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
          onMove={(entry, by) => deeds.move(data ?? [], entry, by)}
          onDuplicate={deeds.duplicate}
          onDelete={askToDelete}
        />
      )}
      {deleted !== undefined && (
        <DeleteReadingDialog api={api} entry={deleted} onClose={() => askToDelete(undefined)} />
      )}
    </div>
  );
}
