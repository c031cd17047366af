import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses, Section } from "../../ui/section.tsx";
import { resourceQuery } from "../model/queries.ts";

/** Whether the changes of a table's rows are recorded. The choice applies at once. */
export function HistorySection({ resourceId }: { readonly resourceId: string }) {
  const t = useTranslations("presentation");
  const queries = useQueryClient();
  const { data: resource, error, refetch } = useQuery(resourceQuery(resourceId));
  const isRecorded = resource?.history === true;
  const pointer = "/data/history";
  const task = useTask(async () => {
    const data = { history: !isRecorded };
    await client.admin.patch("/resources/{id}", { path: { id: resourceId }, data });
    await Promise.all([
      queries.invalidateQueries({ queryKey: resourceQuery(resourceId).queryKey }),
      queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
    ]);
  }, [pointer]);
  const fault = task.faultAt(pointer) ?? task.failure;
  return (
    <Section title={t("history")} text={t("historyText")}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <div className={panelClasses}>
        {fault !== undefined && <Notice kind="danger">{fault}</Notice>}
        <Checkbox
          label={t("recordHistory")}
          isChecked={isRecorded}
          isDisabled={resource === undefined}
          onChange={task.run}
        />
      </div>
    </Section>
  );
}
