import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { Row } from "../../records/model/resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnsQuery } from "../model/queries.ts";
import { ColumnPresentation } from "./column-presentation.tsx";
import { HistorySection } from "./history-section.tsx";
import { JunctionSection } from "./junction-section.tsx";

interface PresentationTabProps {
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
}

const sampleRows = 4;

/** How the columns of a table or view are shown everywhere. Each column is saved by itself. */
export function PresentationTab({ resourceId, schema, name, kind }: PresentationTabProps) {
  const t = useTranslations("presentation");
  const words = useTranslations("manage");
  const ways = useOwnWays();
  const { data: columns, error, refetch } = useQuery(columnsQuery(resourceId));
  const { data: navigation } = useQuery(navigationQuery);
  const isReadable = navigation?.resources.some(({ id }) => id === resourceId);
  const { data: rows = [] } = useQuery({
    queryKey: ["structure", "sample", resourceId],
    enabled: isReadable === true,
    queryFn: async ({ signal }): Promise<readonly Row[]> =>
      (await client.from({ schema, name, kind }).list({ limit: sampleRows, signal })).rows,
  });
  return (
    <WaysProvider value={ways}>
      {kind === "table" && <HistorySection resourceId={resourceId} />}
      {kind === "table" && <JunctionSection resourceId={resourceId} />}
      <Section title={t("title")} text={t("text")}>
        {isReadable === false && <Notice kind="info">{t("notExposed")}</Notice>}
        {columns === undefined && error !== null && (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
        {columns === undefined && error === null && <Skeleton label={words("loading")} rows={6} />}
        {columns !== undefined && (
          <ul className="rounded-panel border border-line bg-surface">
            {columns.map((column) => (
              <ColumnPresentation
                key={column.name}
                resourceId={resourceId}
                column={column}
                rows={rows}
              />
            ))}
          </ul>
        )}
      </Section>
    </WaysProvider>
  );
}
