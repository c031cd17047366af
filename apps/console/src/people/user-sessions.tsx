import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { deviceName } from "../shell/device-name.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { useTask } from "../shell/use-task.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries, Entry, StateBadge } from "../ui/entries.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import type { User } from "./people-queries.ts";

type Ending = { readonly sessionId?: string };

/** The sessions of a person on every device; one or all can be ended. */
export function UserSessions({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  const sessions = useTranslations("account.sessions");
  const words = useTranslations("manage");
  const format = useFormatter();
  const path = { id: user.id };
  const queryKey = ["people", "sessions", user.id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/users/{id}/sessions", { path, signal })).data,
  });
  const [ending, end] = useState<Ending>();
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  return (
    <Section
      title={t("userTabs.sessions")}
      text={t("sessionsText")}
      aside={
        data !== undefined &&
        data.length > 0 && (
          <ToolButton kind="danger" onClick={() => end({})}>
            {t("endAll")}
          </ToolButton>
        )
      }
    >
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={3} />}
      {data?.length === 0 && <EmptyState title={t("noSessions")} />}
      {data !== undefined && data.length > 0 && (
        <Entries>
          {data.map(({ id, method, address, userAgent, createdAt, expiresAt, current }) => {
            const device = userAgent === null ? sessions("unknown") : deviceName(userAgent);
            const way = method === "password" ? sessions("byPassword") : method;
            return (
              <Entry
                key={id}
                name={
                  <>
                    <span title={userAgent ?? undefined} dir="auto">
                      {device}
                    </span>
                    {current && <StateBadge look="ok">{sessions("current")}</StateBadge>}
                  </>
                }
                facts={[
                  t("since", { since: moment(createdAt), way }),
                  sessions("until", { until: moment(expiresAt), address: address ?? "–" }),
                ]}
                actions={
                  <ToolButton
                    kind="danger"
                    onClick={() => end({ sessionId: id })}
                    aria-label={sessions("endOne", { device })}
                  >
                    {sessions("end")}
                  </ToolButton>
                }
              />
            );
          })}
        </Entries>
      )}
      {ending !== undefined && (
        <EndDialog
          userId={user.id}
          ending={ending}
          queryKey={queryKey}
          onClose={() => end(undefined)}
        />
      )}
    </Section>
  );
}

function EndDialog(props: {
  readonly userId: string;
  /** Without a session, all end. */
  readonly ending: Ending;
  readonly queryKey: readonly string[];
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const sessions = useTranslations("account.sessions");
  const cache = useQueryClient();
  const { userId: id, ending, queryKey, onClose } = props;
  const { sessionId } = ending;
  const task = useTask(async () => {
    try {
      await (sessionId === undefined
        ? client.admin.delete("/users/{id}/sessions", { path: { id } })
        : client.admin.delete("/users/{id}/sessions/{sessionId}", { path: { id, sessionId } }));
    } finally {
      await cache.invalidateQueries({ queryKey });
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(sessionId === undefined ? "endAllTitle" : "endTitle")}
      confirm={sessionId === undefined ? t("endAll") : sessions("end")}
      failure={task.code === "NOT_FOUND" ? t("endedAlready") : undefined}
      task={task}
      onClose={onClose}
    >
      {sessions("endText")}
    </ConfirmTask>
  );
}
