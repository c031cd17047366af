import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { InputEditor } from "./input-editor.tsx";
import { examplesQuery } from "./sample-queries.ts";

interface MockListProps {
  readonly workflowId: string;
  /** JSON by the id of a step. */
  readonly mocks: ReadonlyMap<string, string>;
  readonly faultOf: (stepId: string) => string | undefined;
  readonly onChange: (mocks: ReadonlyMap<string, string>) => void;
}

/** The outputs that stand for those of steps: mocks of this test, and the examples that are kept with the workflow. */
export function MockList({ workflowId, mocks, faultOf, onChange }: MockListProps) {
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
