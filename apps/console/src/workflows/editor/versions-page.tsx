import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Listing } from "../../shell/listing.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useStepKinds } from "../parts/kinds-query.ts";
import { ViewSwitch } from "../parts/view-switch.tsx";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import { workflowPath } from "../parts/workflow-paths.ts";
import type { Workflow } from "../parts/workflow-queries.ts";
import { ChangeList } from "./change-list.tsx";
import type { Edition, VersionsSearch } from "./editor-search.ts";
import { RollBackDialog } from "./roll-back-dialog.tsx";
import { diffQuery, editionQuery, VersionList } from "./version-list.tsx";

const route = getRouteApi("/frame/admin/workflows/$id/versions");

/** The published versions of a workflow: what differs between two of them, and the way back to one. */
export function VersionsPage() {
  const { id } = route.useParams();
  return (
    <WorkflowFrame id={id}>
      {(workflow, isLocked) => <Versions key={id} workflow={workflow} isLocked={isLocked} />}
    </WorkflowFrame>
  );
}

function Versions(props: { readonly workflow: Workflow; readonly isLocked: boolean }) {
  const { workflow, isLocked } = props;
  const { id, published } = workflow;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const t = useTranslations("workflowEditor.versions");
  const editor = useTranslations("workflowEditor");
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
            isLocked={isLocked}
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
            <div className="flex flex-wrap items-center gap-3">
              <ViewSwitch
                label={editor("view")}
                view={search.view ?? "list"}
                views={[
                  { view: "list", label: t("list") },
                  { view: "graph", label: editor("graph") },
                ]}
                onChange={(view) => show({ view: view === "graph" ? view : undefined })}
              />
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
          <Comparison workflow={workflow} from={from} to={to} search={search} onSearch={show} />
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

const DiffGraph = lazy(() =>
  import("./diff-graph.tsx").then((module) => ({ default: module.DiffGraph })),
);

interface ComparisonProps {
  readonly workflow: Workflow;
  readonly from: number;
  readonly to: Edition;
  readonly search: VersionsSearch;
  readonly onSearch: (changes: Partial<VersionsSearch>) => void;
}

function Comparison({ workflow, from, to, search, onSearch }: ComparisonProps) {
  const t = useTranslations("workflowEditor.versions");
  const words = useTranslations("manage");
  const isGraph = search.view === "graph";
  const kinds = useStepKinds();
  const diff = useQuery(diffQuery(workflow, from, to));
  const before = useQuery({ ...editionQuery(workflow, from), enabled: isGraph });
  const after = useQuery({ ...editionQuery(workflow, to), enabled: isGraph });
  const changes = diff.data;
  const [failed] = [diff, before, after].filter(({ error }) => error !== null);
  if (failed !== undefined) {
    return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const waiting = <Skeleton label={words("loading")} rows={4} />;
  if (changes === undefined) return waiting;
  if (changes.length === 0) return <p className="text-ink-2">{t("same")}</p>;
  if (!isGraph) return <ChangeList changes={changes} />;
  if (before.data === undefined || after.data === undefined || kinds === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      <DiffGraph
        key={`${from} ${to}`}
        {...{ changes, kinds }}
        before={before.data}
        after={after.data}
        name={`${workflow.slug}-${from}-${to}`}
        chosen={search.step}
        onChoose={(step) => onSearch({ step })}
      />
    </Suspense>
  );
}
