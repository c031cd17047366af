import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { jsonText, readJsonText } from "../form/json-text.ts";
import { idsOf } from "../model/branches.ts";
import type { Definition } from "../model/definition.ts";
import { triggerKindOf } from "../parts/trigger-kind.ts";
import { workflowQuery } from "../parts/workflow-queries.ts";
import { firstInput } from "./first-input.ts";
import { InputEditor } from "./input-editor.tsx";
import { MockList } from "./mock-list.tsx";
import { SampleChoice } from "./sample-choice.tsx";
import { TestResult } from "./test-result.tsx";

/** Every step, in place of one. */
const all = "";

interface TestPanelProps {
  readonly workflowId: string;
  /** The draft as it is edited. */
  readonly definition: Definition;
  /** Whether the draft differs from the stored one, which a test runs. */
  readonly dirty: boolean;
  /** Stores the draft; false if it could not be stored. */
  readonly onSave: () => Promise<boolean>;
  /** The step after which a test ends, until another one is chosen. */
  readonly until?: string | undefined;
}

/** Runs the draft with an input, at first without harm, and shows what each step did. */
export function TestPanel({ workflowId, definition, dirty, onSave, until }: TestPanelProps) {
  const t = useTranslations("workflows.test");
  const { data: workflow } = useQuery(workflowQuery(workflowId));
  const [text, setText] = useState(() => jsonText(firstInput(definition)));
  const [effects, setEffects] = useState<"NONE" | "REAL">("NONE");
  const [last, setLast] = useState(until ?? all);
  const [given, setGiven] = useState(until);
  if (until !== given) {
    setGiven(until);
    setLast(until ?? all);
  }
  const [mocks, setMocks] = useState<ReadonlyMap<string, string>>(new Map());
  const [runId, setRunId] = useState<string>();
  const ids = [...idsOf(definition, [])].filter((id) => id !== "");
  const end = ids.includes(last) ? last : all;
  const input = readJsonText(text);
  const readMocks = [...mocks].map(([id, mock]) => [id, readJsonText(mock)] as const);
  const isReady = input !== undefined && readMocks.every(([, mock]) => mock !== undefined);
  const testing = useTask(async () => {
    if (input === undefined || !isReady) return;
    if (dirty && !(await onSave())) return;
    const { data } = await client.admin.post("/workflows/{id}/test", {
      path: { id: workflowId },
      body: {
        data: input.value,
        effects,
        mocks: Object.fromEntries(readMocks.map(([id, mock]) => [id, mock?.value])),
        until: end === all ? null : end,
      },
    });
    setRunId(data.run);
  }, ["/data", "/mocks"]);
  const starting = useTask(async () => {
    if (input === undefined) return;
    const { data } = await client.admin.post("/workflows/{id}/runs", {
      path: { id: workflowId },
      data: input.value,
    });
    setRunId(data.run);
  }, ["/data"]);
  const kind = triggerKindOf(definition);
  const failure = testing.failure ?? starting.failure;
  const canStart = kind !== "webhook" && workflow?.enabled === true && !dirty;
  return (
    <div className="grid content-start gap-4">
      <SampleChoice
        workflowId={workflowId}
        input={input}
        isWebhook={kind === "webhook"}
        onChoose={(data) => setText(jsonText(data))}
      />
      <InputEditor
        label={t("input")}
        text={text}
        onChange={setText}
        fault={testing.faultAt("/data") ?? starting.faultAt("/data")}
      />
      <div className="grid justify-items-start gap-2">
        <Select
          label={t("effects")}
          value={effects}
          options={[
            { value: "NONE", label: t("NONE") },
            { value: "REAL", label: t("REAL") },
          ]}
          onChange={setEffects}
        />
        <p className="text-2 text-ink-2">{t(effects === "NONE" ? "noneText" : "realText")}</p>
        <Select
          label={t("until")}
          value={end}
          options={[
            { value: all, label: t("untilEnd") },
            ...ids.map((id) => ({ value: id, label: id, isName: true })),
          ]}
          onChange={setLast}
        />
      </div>
      <MockList
        workflowId={workflowId}
        mocks={mocks}
        faultOf={(id) => testing.faultAt(`/mocks/${id}`)}
        onChange={setMocks}
      />
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" isBusy={testing.isBusy || !isReady} onPress={testing.run}>
          {t(dirty ? "saveAndRun" : "run")}
        </Button>
        {canStart && (
          <Button isBusy={starting.isBusy || input === undefined} onPress={starting.run}>
            {t("production")}
          </Button>
        )}
      </div>
      {canStart && <p className="text-2 text-ink-2">{t("productionText")}</p>}
      {runId !== undefined && (
        <TestResult
          key={runId}
          address={{ id: workflowId, runId }}
          onMock={(id, output) => setMocks((before) => new Map(before).set(id, jsonText(output)))}
        />
      )}
    </div>
  );
}
