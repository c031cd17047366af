import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { View } from "../model/queries.ts";

/** Milliseconds between two looks at a refresh that runs. */
const pollMs = 1000;

/** The rows of a materialized view: when they were computed, and the way to compute them again. */
export function RefreshSection({ view }: { readonly view: View }) {
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
          ? t("neverRefreshed")
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
          href={`/admin/audit?search=view.refresh&targetId=${view.resourceId}`}
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
