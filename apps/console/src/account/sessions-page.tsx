import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { deviceName } from "../shell/device-name.ts";
import { useFailureText } from "../shell/failure-text.ts";
import { ZoneNote } from "../shell/time/zone-note.tsx";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { Entries, Entry, StateBadge } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { type OwnSession, sessionsQuery } from "./account-queries.ts";

/** The sessions of the person on every device; one or all others can be ended. */
export function SessionsPage() {
  const t = useTranslations("account");
  const describe = useFailureText();
  const { data, error } = useQuery(sessionsQuery);
  const [ending, end] = useState<readonly OwnSession[]>();
  const others = (data ?? []).filter(({ current }) => !current);
  useTitle(t("tabs.sessions"));
  return (
    <Section
      title={t("tabs.sessions")}
      text={t("sessions.text")}
      aside={
        others.length > 0 && (
          <ToolButton onClick={() => end(others)}>{t("sessions.endOthers")}</ToolButton>
        )
      }
    >
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={t("loading")} rows={3} />}
      {data !== undefined && (
        <Entries>
          {data.map((session) => (
            <SessionEntry key={session.id} session={session} onEnd={() => end([session])} />
          ))}
        </Entries>
      )}
      <ZoneNote />
      {ending !== undefined && <EndDialog sessions={ending} onClose={() => end(undefined)} />}
    </Section>
  );
}

function SessionEntry(props: { readonly session: OwnSession; readonly onEnd: () => void }) {
  const t = useTranslations("account");
  const format = useFormatter();
  const { method, address, userAgent, createdAt, expiresAt, current } = props.session;
  const device = userAgent === null ? t("sessions.unknown") : deviceName(userAgent);
  const day = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  const way = method === "password" ? t("sessions.byPassword") : method;
  return (
    <Entry
      name={
        <>
          <span title={userAgent ?? undefined}>{device}</span>
          {current && <StateBadge look="ok">{t("sessions.current")}</StateBadge>}
        </>
      }
      facts={[
        t("sessions.since", { since: day(createdAt), way }),
        t("sessions.until", { until: day(expiresAt), address: address ?? "–" }),
      ]}
      actions={
        !current && (
          <ToolButton
            kind="danger"
            onClick={props.onEnd}
            aria-label={t("sessions.endOne", { device })}
          >
            {t("sessions.end")}
          </ToolButton>
        )
      }
    />
  );
}

function EndDialog(props: {
  readonly sessions: readonly OwnSession[];
  readonly onClose: () => void;
}) {
  const t = useTranslations("account");
  const cache = useQueryClient();
  const { sessions, onClose } = props;
  const task = useTask(async () => {
    try {
      for (const { id } of sessions) {
        await client.api.delete("/auth/sessions/{id}", { path: { id } });
      }
    } finally {
      await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t("sessions.endTitle", { count: sessions.length })}
      confirm={t("sessions.end")}
      task={task}
      onClose={onClose}
    >
      {t("sessions.endText")}
    </ConfirmTask>
  );
}
