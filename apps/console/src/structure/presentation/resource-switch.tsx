import { useQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses, Section } from "../../ui/section.tsx";
import { resourceQuery } from "../model/queries.ts";

interface ResourceSwitchProps {
  readonly resourceId: string;
  readonly field: "history" | "junction";
  readonly title: string;
  readonly text: string;
  readonly label: string;
}

/** A property of a resource that is on or off. The choice applies at once. */
export function ResourceSwitch({ resourceId, field, title, text, label }: ResourceSwitchProps) {
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
