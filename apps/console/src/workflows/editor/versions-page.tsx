import { type Fault, RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Listing } from "../../shell/listing.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { useTask } from "../../shell/use-task.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { keysOf } from "../model/pointer.ts";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import { workflowPath } from "../parts/workflow-paths.ts";
import { useWorkflowChange, type Workflow } from "../parts/workflow-queries.ts";
import { ChangeList } from "./change-list.tsx";
import type { Edition, VersionsSearch } from "./editor-search.ts";
import { diffQuery, VersionList } from "./version-list.tsx";

const route = getRouteApi("/frame/admin/workflows/$id/versions");

/** The published versions of a workflow: what differs between two of them, and the way back to one. */
export function VersionsPage() {
  const { id } = route.useParams();
  return (
    <WorkflowFrame id={id}>{(workflow) => <Versions key={id} workflow={workflow} />}</WorkflowFrame>
  );
}

function Versions({ workflow }: { readonly workflow: Workflow }) {
  const { id, published } = workflow;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const t = useTranslations("workflowEditor.versions");
  const listing = useListing(["workflow-versions", id, published?.number], (query, signal) =>
    client.admin.get("/workflows/{id}/versions", { path: { id }, query, signal }),
  );
  const [rollingBack, rollBack] = useState<number>();
  const [done, setDone] = useState<{ readonly number: number; readonly from: number }>();
  const numbers = listing.items?.map(({ number }) => number) ?? [];
  const to: Edition = search.to ?? "draft";
  const from = search.from ?? (to === "draft" ? published?.number : to - 1 || 1);
  const show = (changes: Partial<VersionsSearch>) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true });
  return (
    <>
      {done !== undefined && <Notice kind="ok">{t("rolledBack", done)}</Notice>}
      <Listing
        listing={listing}
        isFiltered={false}
        empty={
          <EmptyState title={t("empty")} text={t("emptyText")}>
            <AppLink href={workflowPath(id)} className={linkClasses}>
              {t("openEditor")}
            </AppLink>
          </EmptyState>
        }
      >
        {(versions) => (
          <VersionList
            versions={versions}
            present={published?.number}
            onCompare={(number) =>
              show({ from: number > 1 ? number - 1 : number, to: number > 1 ? number : "draft" })
            }
            onRollBack={rollBack}
          />
        )}
      </Listing>
      {from !== undefined && numbers.length > 0 && (
        <Section
          title={t("compare")}
          text={t("compareText")}
          aside={
            <div className="flex flex-wrap gap-3">
              <EditionSelect
                label={t("from")}
                value={from}
                editions={numbers}
                onChange={(edition) => {
                  if (edition !== "draft") show({ from: edition, to });
                }}
              />
              <EditionSelect
                label={t("to")}
                value={to}
                editions={["draft", ...numbers]}
                onChange={(edition) => show({ from, to: edition })}
              />
            </div>
          }
        >
          <Comparison workflow={workflow} from={from} to={to} />
        </Section>
      )}
      {rollingBack !== undefined && (
        <RollBackDialog
          workflow={workflow}
          number={rollingBack}
          onDone={(number) => {
            setDone({ number, from: rollingBack });
            rollBack(undefined);
          }}
          onClose={() => rollBack(undefined)}
        />
      )}
    </>
  );
}

function EditionSelect(props: {
  readonly label: string;
  readonly value: Edition;
  readonly editions: readonly Edition[];
  readonly onChange: (edition: Edition) => void;
}) {
  const t = useTranslations("workflowEditor.versions");
  const { label, value, editions, onChange } = props;
  // A version of an address may be on a later page of the list.
  const all = editions.includes(value) ? editions : [...editions, value];
  return (
    <Select
      label={label}
      value={String(value)}
      options={all.map((edition) => ({
        value: String(edition),
        label: edition === "draft" ? t("draft") : t("versionName", { number: edition }),
      }))}
      onChange={(text) => onChange(text === "draft" ? text : Number(text))}
    />
  );
}

function Comparison(props: {
  readonly workflow: Workflow;
  readonly from: number;
  readonly to: Edition;
}) {
  const { workflow, from, to } = props;
  const t = useTranslations("workflowEditor.versions");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(diffQuery(workflow, from, to));
  if (data === undefined) {
    return error === null ? (
      <Skeleton label={words("loading")} rows={4} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    );
  }
  return data.length === 0 ? (
    <p className="text-ink-2">{t("same")}</p>
  ) : (
    <ChangeList changes={data} />
  );
}

interface RollBackDialogProps {
  readonly workflow: Workflow;
  readonly number: number;
  readonly onDone: (number: number) => void;
  readonly onClose: () => void;
}

/** Shows what an earlier version changes for new runs, and publishes it again. */
function RollBackDialog({ workflow, number, onDone, onClose }: RollBackDialogProps) {
  const t = useTranslations("workflowEditor");
  const words = useTranslations("manage");
  const onChange = useWorkflowChange();
  const present = workflow.published?.number ?? number;
  const diff = useQuery(diffQuery(workflow, present, number));
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const task = useTask(async () => {
    setFaults([]);
    const path = { id: workflow.id, number: String(number) };
    try {
      const { data } = await client.admin.post("/workflows/{id}/versions/{number}/publish", {
        path,
      });
      await onChange(data);
      onDone(data.published?.number ?? number);
    } catch (error) {
      if (!(error instanceof RowhouseError && error.code === "WORKFLOW_INVALID")) throw error;
      setFaults(error.faults);
    }
  }, []);
  return (
    <FormDialog
      title={t("versions.rollBackTitle", { number })}
      task={task}
      submit={t("publish")}
      onClose={onClose}
    >
      {faults.length > 0 && (
        <Notice kind="danger">
          <ul lang="en">
            {faults.map(({ path = "", message }) => (
              <li key={`${path} ${message}`}>
                <bdi className="font-medium">{keysOf(path).join(" › ")}</bdi> {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="text-ink-2">{t("versions.rollBackText")}</p>
      {diff.data === undefined ? (
        <Skeleton label={words("loading")} rows={3} />
      ) : diff.data.length === 0 ? (
        <p className="text-ink-2">{t("versions.same")}</p>
      ) : (
        <div className="max-h-[50dvh] overflow-y-auto">
          <ChangeList changes={diff.data} />
        </div>
      )}
    </FormDialog>
  );
}
