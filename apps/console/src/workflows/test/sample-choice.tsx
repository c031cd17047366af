import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ListenButton } from "./listen-button.tsx";
import { samplesQuery } from "./sample-queries.ts";
import { SaveSampleDialog } from "./save-sample-dialog.tsx";

const none = "";

interface SampleChoiceProps {
  readonly workflowId: string;
  /** The input as it is now; undefined if it is no JSON. */
  readonly input: { readonly value: unknown } | undefined;
  readonly isWebhook: boolean;
  readonly onChoose: (data: unknown) => void;
}

/** Saved inputs of a workflow: to take one, to save the present one, or to catch that of the next call. */
export function SampleChoice({ workflowId, input, isWebhook, onChoose }: SampleChoiceProps) {
  const t = useTranslations("workflows.test");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const { data: samples = [] } = useQuery(samplesQuery(workflowId));
  const [chosen, setChosen] = useState(none);
  const [isSaving, setSaving] = useState(false);
  const isKnown = samples.some(({ id }) => id === chosen);
  const path = (sampleId: string) => ({ id: workflowId, sampleId });
  const wanted = useRef(none);
  const loading = useTask(async () => {
    const sampleId = wanted.current;
    const { data } = await client.admin.get("/workflows/{id}/samples/{sampleId}", {
      path: path(sampleId),
    });
    // Another one may have been chosen meanwhile.
    if (wanted.current === sampleId) onChoose(data.data);
  }, []);
  const deleting = useTask(async () => {
    await client.admin.delete("/workflows/{id}/samples/{sampleId}", { path: path(chosen) });
    setChosen(none);
    await renew(cache, { queryKey: samplesQuery(workflowId).queryKey });
  }, []);
  const choose = (id: string) => {
    setChosen(id);
    wanted.current = id;
    if (id !== none) loading.run();
  };
  const failure = loading.failure ?? deleting.failure;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={t("sample")}
          value={isKnown ? chosen : none}
          options={[
            { value: none, label: t(samples.length === 0 ? "noSample" : "ownInput") },
            ...samples.map(({ id, name }) => ({ value: id, label: name, isName: true })),
          ]}
          onChange={choose}
        />
        {isKnown && (
          <ToolButton kind="bare" onClick={deleting.run}>
            {words("delete")}
          </ToolButton>
        )}
        <ToolButton disabled={input === undefined} onClick={() => setSaving(true)}>
          {t("saveSample")}
        </ToolButton>
        {isWebhook && <ListenButton workflowId={workflowId} onCall={onChoose} />}
      </div>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {isSaving && input !== undefined && (
        <SaveSampleDialog
          workflowId={workflowId}
          source={{ data: input.value }}
          onSaved={setChosen}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}
