import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { Row } from "../../records/model/resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses, Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnsQuery, resourceQuery } from "../model/queries.ts";
import { ColumnPresentation } from "./column-presentation.tsx";

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

/** Whether the changes of a table's rows are recorded. */
function HistorySection({ resourceId }: { readonly resourceId: string }) {
  const t = useTranslations("presentation");
  const words = { title: t("history"), text: t("historyText"), label: t("recordHistory") };
  return <ResourceSwitch resourceId={resourceId} field="history" {...words} />;
}

/** Whether a table with two foreign keys relates the rows of two tables, although its key is another. */
function JunctionSection({ resourceId }: { readonly resourceId: string }) {
  const t = useTranslations("presentation");
  const { data: resource } = useQuery(resourceQuery(resourceId));
  if (resource === undefined) return null;
  const { junction, primaryKey, relations } = resource;
  const keys = relations.filter(({ foreignKey }) => foreignKey === "OWN");
  const named = new Set(keys.flatMap(({ columns }) => columns.map(({ own }) => own)));
  const isOfKeys = primaryKey.length === named.size && primaryKey.every((name) => named.has(name));
  if (!junction && (keys.length !== 2 || isOfKeys)) return null;
  const words = { title: t("junction"), text: t("junctionText"), label: t("isJunction") };
  return <ResourceSwitch resourceId={resourceId} field="junction" {...words} />;
}

interface ResourceSwitchProps {
  readonly resourceId: string;
  readonly field: "history" | "junction";
  readonly title: string;
  readonly text: string;
  readonly label: string;
}

/** A property of a resource that is on or off. The choice applies at once. */
function ResourceSwitch({ resourceId, field, title, text, label }: ResourceSwitchProps) {
  const queries = useQueryClient();
  const { data: resource, error, refetch } = useQuery(resourceQuery(resourceId));
  const isOn = resource?.[field] === true;
  const pointer = `/data/${field}`;
  const task = useTask(async () => {
    const data = { [field]: !isOn };
    await client.admin.patch("/resources/{id}", { path: { id: resourceId }, data });
    await Promise.all([
      queries.invalidateQueries({ queryKey: resourceQuery(resourceId).queryKey }),
      queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
    ]);
  }, [pointer]);
  const fault = task.faultAt(pointer) ?? task.failure;
  return (
    <Section title={title} text={text}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <div className={panelClasses}>
        {fault !== undefined && <Notice kind="danger">{fault}</Notice>}
        <Checkbox
          label={label}
          isChecked={isOn}
          isDisabled={resource === undefined}
          onChange={task.run}
        />
      </div>
    </Section>
  );
}
