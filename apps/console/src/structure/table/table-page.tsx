import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { tableQuery } from "../model/queries.ts";
import { StructureTrail } from "./structure-trail.tsx";
import { TableEditor } from "./table-editor.tsx";

const route = getRouteApi("/frame/admin/structure/$schema/table/$name");

/** One table: its parts, and the draft of their change. */
export function TablePage() {
  const { schema, name } = route.useParams();
  const { tab = "columns" } = route.useSearch();
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(tableQuery(schema, name));
  const isMissing = error instanceof RowhouseError && error.status === 404;
  useTitle(name);
  if (data === undefined) {
    return (
      <div className={pageClasses}>
        <h1 className="text-5 font-semibold wrap-anywhere">
          <StructureTrail schema={schema} /> <bdi>{name}</bdi>
        </h1>
        {error === null && <Skeleton label={words("loading")} rows={8} />}
        {isMissing && <EmptyState title={t("missingTable")} text={t("missingTableText")} />}
        {error !== null && !isMissing && (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  return (
    <TableEditor
      key={data.data.resourceId}
      schema={schema}
      table={data.data}
      etag={data.etag}
      tab={tab}
    />
  );
}
