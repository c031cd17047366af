import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { SaveSampleDialog, samplesQuery } from "./save-sample-dialog.tsx";

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

const everyMs = 1500;

interface ListenButtonProps {
  readonly workflowId: string;
  /** Takes the input of the call, redacted as it is stored. */
  readonly onCall: (data: unknown) => void;
}

/** Waits for the next real call of the webhook, and takes its input. The call itself runs as always. */
function ListenButton({ workflowId, onCall }: ListenButtonProps) {
  const t = useTranslations("workflows.test");
  const describe = useFailureText();
  const [isListening, setListening] = useState(false);
  const [error, setError] = useState<unknown>();
  const latest = useRef(onCall);
  latest.current = onCall;
  useEffect(() => {
    if (!isListening) return;
    const ending = new AbortController();
    nextCall(workflowId, ending.signal)
      .then((input) => latest.current(input))
      .catch((failure: unknown) => {
        if (!ending.signal.aborted) setError(failure);
      })
      .finally(() => {
        if (!ending.signal.aborted) setListening(false);
      });
    return () => ending.abort();
  }, [isListening, workflowId]);
  return (
    <>
      <ToolButton
        aria-pressed={isListening}
        onClick={() => {
          setError(undefined);
          setListening((last) => !last);
        }}
      >
        {t(isListening ? "stopListening" : "listen")}
      </ToolButton>
      <span role="status" className="text-2 text-ink-2">
        {isListening ? t("listening") : ""}
      </span>
      {error !== undefined && <Notice kind="danger">{describe(error)}</Notice>}
    </>
  );
}

/** Waits for the first run that a call starts from now on, and returns its input. */
async function nextCall(id: string, signal: AbortSignal): Promise<unknown> {
  // The newest run that is known, by the clock of the service.
  const read = async () => {
    const query = { origin: "WEBHOOK", limit: 1 };
    return (await client.admin.get("/workflows/{id}/runs", { path: { id }, query, signal }))
      .data[0];
  };
  const before = (await read())?.id;
  for (;;) {
    await new Promise((done) => setTimeout(done, everyMs));
    signal.throwIfAborted();
    const run = await read();
    if (run === undefined || run.id === before) continue;
    const path = { id, runId: run.id };
    return (await client.admin.get("/workflows/{id}/runs/{runId}", { path, signal })).data.input;
  }
}
