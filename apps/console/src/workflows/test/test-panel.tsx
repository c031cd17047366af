import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { jsonText, readJsonText } from "../form/json-text.ts";
import { idsOf } from "../model/branches.ts";
import { type Definition, fieldOf } from "../model/definition.ts";
import { triggerKindOf } from "../parts/kinds-query.ts";
import { workflowQuery } from "../parts/workflow-queries.ts";
import { InputEditor } from "./input-editor.tsx";
import { SampleChoice } from "./sample-choice.tsx";
import { examplesQuery } from "./save-sample-dialog.tsx";
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
  const result = useRef<HTMLDivElement>(null);
  // Below the input, the result would be out of sight.
  useEffect(() => {
    if (runId !== undefined) result.current?.scrollIntoView({ block: "nearest" });
  }, [runId]);
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
    <div className="@container">
      <div className="grid items-start gap-x-6 gap-y-4 @3xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
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
            <EffectsChoice value={effects} onChange={setEffects} />
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
        </div>
        <div ref={result} className="min-w-0 scroll-mt-4 @3xl:sticky @3xl:top-4">
          {runId === undefined ? (
            <p className="rounded-panel border border-line-strong border-dashed p-6 text-center text-ink-2 @max-3xl:hidden">
              {t("noResult")}
            </p>
          ) : (
            <TestResult
              key={runId}
              address={{ id: workflowId, runId }}
              onMock={(id, output) =>
                setMocks((before) => new Map(before).set(id, jsonText(output)))
              }
            />
          )}
        </div>
      </div>
    </div>
  );
}

interface EffectsChoiceProps {
  readonly value: "NONE" | "REAL";
  readonly onChange: (value: "NONE" | "REAL") => void;
}

/** Whether the test is carried out; each choice says what happens and what does not. */
function EffectsChoice({ value, onChange }: EffectsChoiceProps) {
  const t = useTranslations("workflows.test");
  const name = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-medium">{t("effects")}</legend>
      {(["NONE", "REAL"] as const).map((one) => (
        <label key={one} className="flex items-start gap-2">
          <input
            type="radio"
            name={name}
            checked={one === value}
            onChange={() => onChange(one)}
            className="mt-1 accent-accent"
          />
          <span>{t(one === "NONE" ? "noneText" : "realText")}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** An input to begin with, in the shape of a definition's trigger. */
function firstInput(definition: Definition): unknown {
  const trigger = fieldOf(definition, "trigger");
  switch (triggerKindOf(definition)) {
    case "webhook":
      return { query: {}, body: fieldOf(trigger, "method") === "GET" ? null : {}, meta: {} };
    case "schedule":
      return { scheduledAt: new Date().toISOString(), previous: null };
    case "databaseEvent":
      return { event: firstOf(fieldOf(trigger, "on")), old: null, new: {}, changed: [] };
    default:
      return {};
  }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : "insert";
}

interface MockListProps {
  readonly workflowId: string;
  /** JSON by the id of a step. */
  readonly mocks: ReadonlyMap<string, string>;
  readonly faultOf: (stepId: string) => string | undefined;
  readonly onChange: (mocks: ReadonlyMap<string, string>) => void;
}

/** The outputs that stand for those of steps: mocks of this test, and the examples that are kept with the workflow. */
function MockList({ workflowId, mocks, faultOf, onChange }: MockListProps) {
  const t = useTranslations("workflows.test");
  const { data: examples = [] } = useQuery(examplesQuery(workflowId));
  return (
    <>
      {[...mocks].map(([id, text]) => (
        <div key={id} className="grid gap-1">
          <InputEditor
            label={t("mockOf", { step: id })}
            text={text}
            onChange={(next) => onChange(new Map(mocks).set(id, next))}
            fault={faultOf(id)}
          />
          <div>
            <ToolButton
              kind="bare"
              onClick={() => onChange(new Map([...mocks].filter(([one]) => one !== id)))}
            >
              {t("removeMock", { step: id })}
            </ToolButton>
          </div>
        </div>
      ))}
      {examples.length > 0 && (
        <div className="grid gap-1">
          <p className="text-2 text-ink-2">{t("examplesText")}</p>
          <ul className="flex flex-wrap gap-2">
            {examples.map(({ step }) => (
              <Example key={step} workflowId={workflowId} step={step} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Example({ workflowId, step }: { readonly workflowId: string; readonly step: string }) {
  const t = useTranslations("workflows.test");
  const cache = useQueryClient();
  const task = useTask(async () => {
    await client.admin.delete("/workflows/{id}/examples/{stepId}", {
      path: { id: workflowId, stepId: step },
    });
    await renew(cache, { queryKey: examplesQuery(workflowId).queryKey });
  }, []);
  return (
    <li className="grid gap-1">
      <ToolButton disabled={task.isBusy} onClick={task.run}>
        {t("unpin", { step })}
      </ToolButton>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
    </li>
  );
}
