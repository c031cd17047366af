import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { ManagedNotice, useManagedLock } from "../../shell/managed.tsx";
import { resourcePath } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { ListTable } from "../../ui/list-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useLeaveDropped } from "../draft/use-structure-change.ts";
import { structurePath } from "../model/paths.ts";
import { type View, viewQuery } from "../model/queries.ts";
import { PresentationTab } from "../presentation/presentation-tab.tsx";
import { StructureTrail } from "../table/structure-trail.tsx";
import { ViewEditor } from "./view-editor.tsx";

const route = getRouteApi("/frame/admin/structure/$schema/view/$name");

/** One view: its definition, its columns with their sources, and the refresh of a materialized one. */
export function ViewPage() {
  const { schema, name } = route.useParams();
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const own = useTranslations("viewEditor");
  const { data, error, refetch } = useQuery(viewQuery(schema, name));
  const [isDropping, setDropping] = useState(false);
  const lock = useManagedLock("views", [schema, name]);
  useTitle(name);
  return (
    <div className={pageClasses}>
      <PageHead
        title={<span dir="auto">{name}</span>}
        trail={<StructureTrail schema={schema} />}
        text={data === undefined ? undefined : t(data.materialized ? "materialized" : "plainView")}
      >
        {data !== undefined && (
          <>
            <AppLink href={resourcePath({ schema, name, kind: "VIEW" })} className={linkClasses}>
              {t("openRows")}
            </AppLink>
            <ToolButton kind="danger" disabled={lock.isLocked} onClick={() => setDropping(true)}>
              {own("drop")}
            </ToolButton>
          </>
        )}
      </PageHead>
      <ManagedNotice lock={lock} />
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {data !== undefined && (
        <>
          {data.materialized && <RefreshSection view={data} />}
          <ViewEditor key={data.resourceId} schema={schema} view={data} isLocked={lock.isLocked} />
          <ViewColumns view={data} />
          <PresentationTab
            resourceId={data.resourceId}
            schema={schema}
            name={data.name}
            kind="view"
            isLocked={lock.isLocked}
          />
        </>
      )}
      {isDropping && data !== undefined && (
        <DropViewDialog view={data} onClose={() => setDropping(false)} />
      )}
    </div>
  );
}

/** The columns of a view, each with the column of a table that supplies it. */
function ViewColumns({ view }: { readonly view: View }) {
  const t = useTranslations("structure");
  const own = useTranslations("viewEditor");
  return (
    <Section title={own("sources")} text={own("columnsText")}>
      <ListTable<View["columns"][number]>
        label={t("columns")}
        items={view.columns}
        keyOf={({ name }) => name}
        columns={[
          {
            key: "name",
            label: t("columns"),
            cell: ({ name }) => (
              <span dir="auto" title={name}>
                {name}
              </span>
            ),
          },
          {
            key: "type",
            label: own("type"),
            cell: ({ dataType }) => <code className="font-mono text-2">{dataType}</code>,
          },
          {
            key: "source",
            label: own("source"),
            cell: ({ source }) =>
              source === null ? (
                <span className="text-ink-2">{own("computed")}</span>
              ) : (
                <AppLink
                  href={structurePath(source.schema, "table", source.table)}
                  dir="auto"
                  className={linkClasses}
                >
                  {`${source.schema}.${source.table}.${source.column}`}
                </AppLink>
              ),
          },
        ]}
      />
    </Section>
  );
}

interface DropViewDialogProps {
  readonly view: Pick<View, "schema" | "name">;
  readonly onClose: () => void;
}

/** Drops a view: first what goes with it and what depends on it, then its name is typed. */
function DropViewDialog({ view, onClose }: DropViewDialogProps) {
  const t = useTranslations("viewEditor");
  const words = useTranslations("manage");
  const describe = useFailureText();
  const [typed, setTyped] = useState("");
  const { schema, name } = view;
  const leave = useLeaveDropped("view", schema, name);
  const path = { schema, view: name };
  const { data, error } = useQuery({
    queryKey: ["structure-preview", "drop-view", schema, name],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const options = { path, data: { action: "drop" as const }, signal };
      const answer = await client.admin.post("/schema/{schema}/views/{view}/preview", options);
      return "loses" in answer.data ? answer.data : undefined;
    },
  });
  const task = useTask(async () => {
    const query = { confirm: typed };
    await client.admin.delete("/schema/{schema}/views/{view}", { path, query });
    await leave();
  }, ["confirm"]);
  const dependents = data?.dependents ?? [];
  const isReady = typed === name && data !== undefined && dependents.length === 0;
  const loses = data === undefined ? [] : Object.entries(data.loses);
  return (
    <FormDialog
      title={t("dropTitle", { name })}
      onClose={onClose}
      task={task}
      submit={t("drop")}
      isDanger
      isReady={isReady}
    >
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={3} />}
      {dependents.length > 0 && (
        <Notice kind="danger">
          {t("dependents", {
            names: dependents.map(({ kind, name: one }) => `${kind} ${one}`).join(", "),
          })}
        </Notice>
      )}
      {loses.map(([kind, names]) =>
        names.length === 0 ? null : (
          <p key={kind} className="wrap-anywhere">
            <span className="text-ink-2">{t(`loses.${kind as "roles"}`)}</span> {names.join(", ")}
          </p>
        ),
      )}
      <TextField
        label={t("typeName", { name })}
        name="confirm"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        fault={task.faultAt("confirm")}
        isFirst
      />
    </FormDialog>
  );
}

/** Milliseconds between two looks at a refresh that runs. */
const pollMs = 1000;

/** The rows of a materialized view: when they were computed, and the way to compute them again. */
function RefreshSection({ view }: { readonly view: View }) {
  const t = useTranslations("viewEditor");
  const format = useFormatter();
  const queries = useQueryClient();
  const path = { schema: view.schema, view: view.name };
  const queryKey = ["structure", "refresh", view.schema, view.name];
  const { data: refresh } = useQuery({
    queryKey,
    initialData: view.refresh,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/schema/{schema}/views/{view}/refresh", { path, signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === "RUNNING" ? pollMs : false),
  });
  const start = useTask(async () => {
    const options = { path };
    const { data } = await client.admin.post("/schema/{schema}/views/{view}/refresh", options);
    queries.setQueryData(queryKey, data);
  }, []);
  const isRunning = refresh?.state === "RUNNING";
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      void queries.invalidateQueries({ queryKey: ["structure", "views"] });
    }
    wasRunning.current = isRunning;
  }, [isRunning, queries]);
  const timeOf = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "medium" });
  return (
    <Section
      title={t("refresh")}
      text={
        refresh?.refreshedAt == null
          ? t(view.populated ? "filledAtStart" : "neverRefreshed")
          : t("refreshedAt", { time: timeOf(refresh.refreshedAt) })
      }
      aside={
        <ToolButton onClick={start.run} disabled={isRunning || start.isBusy}>
          {t("refreshNow")}
        </ToolButton>
      }
    >
      {start.failure !== undefined && <Notice kind="danger">{start.failure}</Notice>}
      {refresh?.state === "FAILED" && (
        <Notice kind="danger">{refresh.error?.message ?? t("refreshFailed")}</Notice>
      )}
      <p className="text-2 text-ink-2">
        {t(refresh?.concurrently === true ? "concurrently" : "readersWait")}{" "}
        <AppLink
          className={linkClasses}
          href={`/admin/audit?action=view.refresh&targetId=${view.resourceId}`}
        >
          {t("refreshes")}
        </AppLink>
      </p>
      {/* Below the link, which would jump when the refresh ends. */}
      {isRunning && (
        <div className="grid max-w-110 gap-1.5">
          <ProgressBar label={t("refreshing")} part={undefined} />
          <p role="status" className="text-ink-2">
            {refresh.startedAt === null
              ? t("refreshing")
              : t("refreshingSince", { time: timeOf(refresh.startedAt) })}
          </p>
        </div>
      )}
    </Section>
  );
}
