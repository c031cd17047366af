import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import type { Task } from "../../shell/use-task.ts";
import type { GrantChanges, SetGrant } from "./use-grant-changes.ts";

/** The form of a dialog that sets several grants by one request. It closes once they are set. */
export function useSettingTask(
  changes: GrantChanges,
  settings: readonly SetGrant[],
  onClose: () => void,
): Pick<Task, "isBusy" | "run" | "failure"> {
  const [isBusy, setBusy] = useState(false);
  const failure = useGrantFailure(changes);
  return {
    ...{ isBusy, failure },
    run: () => {
      if (isBusy) return;
      setBusy(true);
      void changes.set(settings).then((isDone) => {
        setBusy(false);
        if (isDone) onClose();
      });
    },
  };
}

const namedMax = 5;

/** Says why grants are not set: the tables that the service refuses, or the failure of the request. */
export function useGrantFailure({ failure }: GrantChanges): string | undefined {
  const t = useTranslations("access");
  const describe = useFailureText();
  const queries = useQueryClient();
  if (failure === undefined) return undefined;
  const { error, faults } = failure;
  if (faults.length === 0) return t("bulk.notSet", { reason: describe(error) });
  const resources = queries.getQueryData(resourcesQuery.queryKey) ?? [];
  const named = faults.slice(0, namedMax).map(({ setting, message }) => {
    const resource = resources.find(({ id }) => id === setting.resourceId);
    const name = resource === undefined ? setting.resourceId : resourceName(resource);
    return `${name} · ${t(`matrix.head.${setting.action}`)}: ${message}`;
  });
  return t("bulk.notSet", { reason: named.join("; ") });
}
