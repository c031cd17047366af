import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { FindBox, type Found } from "../../shell/find-box.tsx";
import { findRoles } from "../../shell/find-people.ts";
import { NameLink } from "../../shell/name-link.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { fieldOf } from "../model/definition.ts";
import type { Workflow } from "../parts/workflow-queries.ts";

const grantsQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflows", id, "invoke-grants"],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/workflows/{id}/invoke-grants", { path: { id }, signal })).data,
  });

/** The roles whose members may start the workflow by its webhook or as a manual run. */
export function InvokeGrants({ workflow }: { readonly workflow: Workflow }) {
  const t = useTranslations("workflowSettings");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const query = grantsQuery(workflow.id);
  const { data: grants, error, refetch } = useQuery(query);
  const [chosen, choose] = useState<Found>();
  const [removing, setRemoving] = useState<string>();
  const path = { id: workflow.id };
  const adding = useTask(async () => {
    if (chosen === undefined) return;
    const data = { roleId: chosen.id };
    await client.admin.post("/workflows/{id}/invoke-grants", { path, data });
    choose(undefined);
    await cache.invalidateQueries(query);
  }, []);
  const removal = useTask(async () => {
    if (removing === undefined) return;
    await client.admin.delete("/workflows/{id}/invoke-grants/{roleId}", {
      path: { ...path, roleId: removing },
    });
    setRemoving(undefined);
    await cache.invalidateQueries(query);
  }, []);
  const failure = adding.failure ?? removal.failure;
  if (grants === undefined) {
    return error === null ? (
      <Skeleton label={words("loading")} rows={2} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    );
  }
  const isPublic = accessOf(workflow) === "PUBLIC";
  return (
    <div className="grid gap-3">
      {isPublic && <Notice kind="info">{t("isPublic")}</Notice>}
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {grants.length === 0 && !isPublic && <p className="text-ink-2">{t("noGrants")}</p>}
      {grants.length > 0 && (
        <Entries>
          {grants.map(({ roleId, roleName }) => (
            <Entry
              key={roleId}
              name={<NameLink href={`/admin/people/roles/${roleId}`} name={roleName} />}
              facts={[]}
              actions={
                removing === roleId ? (
                  <>
                    <ToolButton kind="danger" disabled={removal.isBusy} onClick={removal.run}>
                      {t("removeConfirm")}
                    </ToolButton>
                    <ToolButton onClick={() => setRemoving(undefined)}>
                      {words("cancel")}
                    </ToolButton>
                  </>
                ) : (
                  <ToolButton
                    aria-label={t("removeRole", { name: roleName })}
                    onClick={() => setRemoving(roleId)}
                  >
                    {t("remove")}
                  </ToolButton>
                )
              }
            />
          ))}
        </Entries>
      )}
      <form noValidate onSubmit={adding.submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-[0_1_20rem]">
          <FindBox
            label={t("role")}
            chosen={chosen}
            onChoose={choose}
            findKey={["workflows", "find-roles"]}
            find={findRoles}
            without={grants.map(({ roleId }) => roleId)}
          />
        </div>
        <Button type="submit" isBusy={adding.isBusy || chosen === undefined}>
          {t("addRole")}
        </Button>
      </form>
    </div>
  );
}

/** Who may call the webhook of the draft; undefined for another trigger. */
function accessOf({ definition }: Workflow): unknown {
  const trigger = fieldOf(definition, "trigger");
  if (fieldOf(trigger, "kind") !== "webhook") return undefined;
  return fieldOf(trigger, "access") ?? "PUBLIC";
}
