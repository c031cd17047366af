import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { FindBox, type Found } from "../../shell/find-box.tsx";
import { findUsers } from "../../shell/find-people.ts";
import { NameLink } from "../../shell/name-link.tsx";
import { personQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

/** The administrators who get a mail when runs of a workflow fail. */
export function Watchers({ id }: { readonly id: string }) {
  const t = useTranslations("workflows.watchers");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const queryKey = ["workflow-watchers", id];
  const { data: person } = useQuery(personQuery);
  const {
    data: watchers,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { limit: 1000 };
      return (await client.admin.get("/workflows/{id}/watchers", { path: { id }, query, signal }))
        .data;
    },
  });
  const [chosen, choose] = useState<Found>();
  const add = async (userId: string) => {
    await client.admin.put("/workflows/{id}/watchers/{userId}", { path: { id, userId } });
    await cache.invalidateQueries({ queryKey });
  };
  const adding = useTask(async () => {
    if (chosen === undefined) return;
    await add(chosen.id);
    choose(undefined);
  }, []);
  const watching = useTask(async () => {
    if (person !== undefined) await add(person.id);
  }, []);
  if (watchers === undefined) {
    return error === null ? (
      <Skeleton label={words("loading")} rows={2} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    );
  }
  const failure = adding.failure ?? watching.failure;
  const isWatching = watchers.some(({ userId }) => userId === person?.id);
  return (
    <div className="grid gap-3">
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {watchers.length > 0 && (
        <Entries>
          {watchers.map(({ userId, name, email }) => (
            <Entry
              key={userId}
              name={
                <NameLink
                  href={`/admin/people/users/${userId}`}
                  name={name === "" ? email : name}
                />
              }
              facts={name === "" ? [] : [email]}
              actions={
                <RemoveWatcher
                  id={id}
                  userId={userId}
                  name={name === "" ? email : name}
                  onRemoved={() => cache.invalidateQueries({ queryKey })}
                />
              }
            />
          ))}
        </Entries>
      )}
      {!isWatching && (
        <div>
          <ToolButton disabled={watching.isBusy} onClick={watching.run}>
            {t("watch")}
          </ToolButton>
        </div>
      )}
      <form noValidate onSubmit={adding.submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-[0_1_20rem]">
          <FindBox
            label={t("person")}
            chosen={chosen}
            onChoose={choose}
            findKey={["workflows", "find-users"]}
            find={findUsers}
            without={watchers.map(({ userId }) => userId)}
          />
        </div>
        <Button type="submit" isBusy={adding.isBusy || chosen === undefined}>
          {t("add")}
        </Button>
      </form>
    </div>
  );
}

function RemoveWatcher(props: {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly onRemoved: () => Promise<void>;
}) {
  const { id, userId, name, onRemoved } = props;
  const t = useTranslations("workflows.watchers");
  const task = useTask(async () => {
    await client.admin.delete("/workflows/{id}/watchers/{userId}", { path: { id, userId } });
    await onRemoved();
  }, []);
  return (
    <>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      <ToolButton aria-label={t("removeOf", { name })} disabled={task.isBusy} onClick={task.run}>
        {t("remove")}
      </ToolButton>
    </>
  );
}
