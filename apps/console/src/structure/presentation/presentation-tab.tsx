import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { Row } from "../../records/model/resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { LockedFields } from "../../shell/managed.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses, Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnsQuery, type ResourceColumn, resourceQuery } from "../model/queries.ts";
import { ColumnPresentation, presentationGrid } from "./column-presentation.tsx";
import { ResourceNames } from "./resource-names.tsx";
import { type ResourceTexts, type Use, usePresentation } from "./use-presentation.ts";

interface PresentationTabProps {
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
  readonly isLocked: boolean;
}

const sampleRows = 4;

/** What people call a table or view, its records and its columns, and how values are shown, everywhere. */
export function PresentationTab({
  resourceId,
  schema,
  name,
  kind,
  isLocked,
}: PresentationTabProps) {
  const words = useTranslations("manage");
  const ways = useOwnWays();
  const columns = useQuery(columnsQuery(resourceId));
  const resource = useQuery(resourceQuery(resourceId));
  const failed = [columns, resource].find(
    ({ data, error }) => data === undefined && error !== null,
  );
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
      {failed !== undefined && (
        <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {columns.data !== undefined && resource.data !== undefined ? (
        <PresentationForm
          {...{ resourceId, name, rows, isLocked }}
          resource={resource.data}
          columns={columns.data}
          isReadable={isReadable !== false}
        />
      ) : (
        failed === undefined && <Skeleton label={words("loading")} rows={6} />
      )}
      {kind === "table" && (
        <LockedFields isLocked={isLocked}>
          <HistorySection resourceId={resourceId} />
          <JunctionSection resourceId={resourceId} />
        </LockedFields>
      )}
    </WaysProvider>
  );
}

interface PresentationFormProps {
  readonly resourceId: string;
  readonly name: string;
  readonly resource: ResourceTexts & { readonly proposedTitle: string | null };
  readonly columns: readonly ResourceColumn[];
  readonly rows: readonly Row[];
  readonly isReadable: boolean;
  readonly isLocked: boolean;
}

function PresentationForm(props: PresentationFormProps) {
  const { resourceId, name, resource, columns, rows, isReadable, isLocked } = props;
  const t = useTranslations("presentation");
  const words = useTranslations("manage");
  const { label, description, title, proposedTitle } = resource;
  const stored = { label, description, title };
  const draft = usePresentation(resourceId, { texts: stored, columns });
  const { task, count, uses } = draft;
  useLeaveGuard(count > 0, t("leave"));
  // What has the focus stays above the bar at the end.
  return (
    <form noValidate onSubmit={task.submit} className="grid gap-6 **:scroll-mb-24">
      <Section title={t("names")} text={t("namesText")}>
        <LockedFields isLocked={isLocked}>
          <ResourceNames {...{ resourceId, name, stored, proposedTitle, columns, draft, rows }} />
        </LockedFields>
      </Section>
      <Section title={t("title")} text={t("text")}>
        {!isReadable && <Notice kind="info">{t("notExposed")}</Notice>}
        <div className="rounded-panel border border-line bg-surface">
          <div
            aria-hidden="true"
            className={`${presentationGrid} border-line border-b px-3 py-1.5 font-medium text-2 text-ink-2 max-sm:hidden`}
          >
            <span>{t("column")}</span>
            <span>{t("label")}</span>
            <span>{t("format")}</span>
            <span>{t("sample")}</span>
          </div>
          <ul aria-label={t("title")}>
            {columns.map((column) => (
              <ColumnPresentation
                key={column.name}
                {...{ column, draft, isLocked }}
                row={rows.find((row) => row[column.name] !== null) ?? rows[0]}
              />
            ))}
          </ul>
        </div>
      </Section>
      {uses.length > 0 && <RelationUses uses={uses} />}
      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 bg-canvas not-empty:border-line not-empty:border-t not-empty:py-3">
        {count > 0 && (
          <>
            <Button type="submit" kind="primary" isBusy={task.isBusy}>
              {words("save")}
            </Button>
            <Button onPress={draft.discard}>{t("discard")}</Button>
            <span className="text-ink-2">{t("changes", { count })}</span>
          </>
        )}
        {draft.isOverwriting && <Notice kind="danger">{t("changedMeanwhile")}</Notice>}
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      </div>
    </form>
  );
}

/** What still names a relation by its former name. */
function RelationUses({ uses }: { readonly uses: readonly Use[] }) {
  const t = useTranslations("presentation");
  return (
    <Notice kind="info">
      <p>{t("relationUses")}</p>
      <ul>
        {uses.map(({ object, name }) => (
          <li key={`${object} ${name}`}>
            {t(`useObjects.${object}`)} <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
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
