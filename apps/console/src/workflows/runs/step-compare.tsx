import { writeJson } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Select } from "../../ui/select.tsx";
import { runPath } from "../parts/workflow-paths.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import { diffJson } from "../run-tree/json-diff.ts";
import { PanelPart } from "../run-tree/panel-part.tsx";
import { type Run, type RunStep, runStepQuery } from "../run-tree/run-queries.ts";

/** Runs that a page offers to compare with. */
const offeredMax = 30;

interface StepCompareProps {
  readonly run: Run;
  readonly path: string;
  /** With input and output; undefined while it is loaded. */
  readonly step: RunStep | undefined;
  readonly compared: string | undefined;
  readonly onCompare: (runId: string | undefined) => void;
}

/** The differences of a step to the same step of another run. */
export function StepCompare({ run, path, step, compared, onCompare }: StepCompareProps) {
  const t = useTranslations("workflows");
  const format = useFormatter();
  const { id, workflowId } = run;
  const { data: runs = [] } = useQuery({
    queryKey: ["workflow-runs", workflowId, "compare"],
    queryFn: async ({ signal }) => {
      const query = { limit: offeredMax, status: "SUCCEEDED,FAILED" };
      return (
        await client.admin.get("/workflows/{id}/runs", { path: { id: workflowId }, query, signal })
      ).data;
    },
  });
  const others = runs.filter((one) => one.id !== id);
  const good = others.find(({ status }) => status === "SUCCEEDED");
  const nameOf = (one: RunSummary) =>
    t("comparedRun", {
      time: format.dateTime(new Date(one.acceptedAt), { dateStyle: "medium", timeStyle: "medium" }),
      status: t(`statuses.${one.status}`),
      version: one.versionNumber === null ? t("draftVersion") : String(one.versionNumber),
    });
  const known = others.some((one) => one.id === compared);
  if (others.length === 0 && compared === undefined) return null;
  return (
    <PanelPart
      title={t("compare")}
      aside={
        good !== undefined &&
        good.id !== compared && (
          <button type="button" className={linkClasses} onClick={() => onCompare(good.id)}>
            {t("lastGood")}
          </button>
        )
      }
    >
      <Select
        label={t("compareWith")}
        value={compared ?? ""}
        options={[
          { value: "", label: t("nothing") },
          ...others.map((one) => ({ value: one.id, label: nameOf(one) })),
          ...(compared === undefined || known ? [] : [{ value: compared, label: compared }]),
        ]}
        onChange={(value) => onCompare(value === "" ? undefined : value)}
      />
      {compared !== undefined && step !== undefined && (
        <Compared workflowId={workflowId} runId={compared} path={path} step={step} />
      )}
    </PanelPart>
  );
}

function Compared(props: {
  readonly workflowId: string;
  readonly runId: string;
  readonly path: string;
  readonly step: RunStep;
}) {
  const { workflowId, runId, path, step } = props;
  const t = useTranslations("workflows");
  const { data, error, refetch } = useQuery(runStepQuery({ id: workflowId, runId }, path, ""));
  if (data === undefined) {
    return error === null ? null : <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p>
        <AppLink href={runPath(workflowId, runId, path)} className={linkClasses}>
          {t("openCompared")}
        </AppLink>
      </p>
      {data === null ? (
        <p className="text-ink-2">{t("notReachedThere")}</p>
      ) : (
        <>
          <Differences title={t("input")} before={data.input} after={step.input} />
          <Differences title={t("output")} before={data.output} after={step.output} />
        </>
      )}
    </>
  );
}

/** More characters of a value are cut off; the whole values are above. */
const shownMax = 300;

/** The places at which two values differ, with the value of the other run and that of this one. */
function Differences(props: {
  readonly title: string;
  readonly before: unknown;
  readonly after: unknown;
}) {
  const t = useTranslations("workflows");
  const differences = diffJson(props.before, props.after);
  if (differences.length === 0) {
    return (
      <p className="text-ink-2">
        {props.title}: {t("same")}
      </p>
    );
  }
  return (
    <table className="w-full table-fixed border-collapse text-left text-2">
      <thead className="text-ink-2">
        <tr>
          <th scope="col" className="py-1 pr-2 font-medium">
            {props.title}
          </th>
          <th scope="col" className="py-1 pr-2 font-medium">
            {t("there")}
          </th>
          <th scope="col" className="py-1 font-medium">
            {t("here")}
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ path, before, after }) => (
          <tr key={path} className="border-line border-t align-top">
            <th scope="row" className="py-1 pr-2 font-normal">
              <code className="font-mono wrap-anywhere">{path === "" ? "." : path}</code>
            </th>
            <td className="py-1 pr-2">
              <Side value={before} />
            </td>
            <td className="py-1">
              <Side value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ value }: { readonly value: unknown }) {
  const t = useTranslations("workflows");
  if (value === undefined) return <span className="text-ink-3">{t("missing")}</span>;
  const text = writeJson(value);
  return (
    <code dir="auto" className="font-mono wrap-anywhere">
      {text.length > shownMax ? `${text.slice(0, shownMax)}…` : text}
    </code>
  );
}
