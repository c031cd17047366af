import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { ListTable } from "../ui/list-table.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { sealedValuesQuery } from "./setting-queries.ts";

const counts = ["current", "other", "unreadable"] as const;

/** The secrets in the database: how many are sealed with which secret of the service, and the renewal of their seals. */
export function SealedValuesPage() {
  const t = useTranslations("settings.sealed");
  const words = useTranslations("manage");
  const format = useFormatter();
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery(sealedValuesQuery);
  const [resealed, setResealed] = useState<number>();
  const task = useTask(async () => {
    const { data: now } = await client.admin.post("/sealed-values/reseal");
    cache.setQueryData(sealedValuesQuery.queryKey, now);
    setResealed(now.resealed);
  }, []);
  useTitle(t("title"));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton label={words("loading")} rows={4} />;
  return (
    <Section
      title={t("title")}
      text={t("text")}
      aside={
        <Button isBusy={task.isBusy} onPress={task.run}>
          {t("reseal")}
        </Button>
      }
    >
      <dl className="grid rounded-panel border border-line bg-surface sm:grid-cols-3">
        {counts.map((name) => (
          <div
            key={name}
            className="grid gap-0.5 border-line p-4 not-last:border-b sm:not-last:border-r sm:not-last:border-b-0"
          >
            <dt className="text-ink-2">{t(name)}</dt>
            <dd className="font-semibold text-5 tabular-nums">{format.number(data[name])}</dd>
          </div>
        ))}
      </dl>
      {resealed !== undefined && <Notice kind="ok">{t("done", { count: resealed })}</Notice>}
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {data.unreadableValues.length > 0 && (
        <>
          <Notice kind="danger">{t("unreadableText")}</Notice>
          <ListTable
            label={t("unreadable")}
            items={data.unreadableValues}
            keyOf={({ table, id }) => `${table} ${id}`}
            columns={[
              { key: "table", label: t("table"), cell: ({ table }) => <code>{table}</code> },
              { key: "id", label: t("id"), cell: ({ id }) => <code>{id}</code> },
            ]}
          />
        </>
      )}
    </Section>
  );
}
