import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

const everyMs = 1500;

interface ListenButtonProps {
  readonly workflowId: string;
  /** Takes the input of the call, redacted as it is stored. */
  readonly onCall: (data: unknown) => void;
}

/** Waits for the next real call of the webhook, and takes its input. The call itself runs as always. */
export function ListenButton({ workflowId, onCall }: ListenButtonProps) {
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
