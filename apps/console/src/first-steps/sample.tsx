import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { useTask } from "../shell/use-task.ts";
import { Notice } from "../ui/notice.tsx";
import { ToolButton } from "../ui/tool-button.tsx";

/** The comment of the schema that holds the sample. */
export const sampleComment = "Sample: a vehicle fleet";

/** Loads the sample from the page. */
export function LoadSample() {
  const t = useTranslations("firstSteps");
  const queries = useQueryClient();
  const task = useTask(async () => {
    await client.admin.post("/sample");
    // Tables, grants and navigation are all new.
    await queries.invalidateQueries();
  }, []);
  return (
    <>
      <ToolButton onClick={task.run} aria-disabled={task.isBusy}>
        {t(task.isBusy ? "loadingSample" : "loadSample")}
      </ToolButton>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
    </>
  );
}

/** Removes the sample, after a question. */
export function RemoveSample() {
  const t = useTranslations("firstSteps");
  const queries = useQueryClient();
  const [isAsked, ask] = useState(false);
  const task = useTask(async () => {
    await client.admin.delete("/sample");
    await queries.invalidateQueries();
    ask(false);
  }, []);
  return (
    <>
      <ToolButton kind="danger" onClick={() => ask(true)}>
        {t("removeSample")}
      </ToolButton>
      {isAsked && (
        <ConfirmTask
          title={t("removeSampleTitle")}
          confirm={t("removeSample")}
          task={task}
          onClose={() => ask(false)}
        >
          {t("removeSampleText")}
        </ConfirmTask>
      )}
    </>
  );
}
