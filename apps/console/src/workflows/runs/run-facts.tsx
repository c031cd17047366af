import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { Moment } from "../../shell/moment.tsx";
import { linkClasses } from "../../ui/link-classes.ts";
import { Duration, msBetween } from "../parts/duration.tsx";
import { runPath } from "../parts/workflow-paths.ts";
import { Facts } from "../run-tree/panel-part.tsx";
import type { Run } from "../run-tree/run-queries.ts";

/** Who and what started a run, and when. */
export function RunFacts({ run }: { readonly run: Run }) {
  const t = useTranslations("workflows");
  const link = (href: string, text: ReactNode) => (
    <AppLink href={href} className={linkClasses}>
      {text}
    </AppLink>
  );
  const id = (text: string) => <code className="font-mono text-2">{text}</code>;
  const queued = msBetween(run.acceptedAt, run.startedAt ?? run.finishedAt);
  const facts: (readonly [string, ReactNode])[] = [
    [t("accepted"), <Moment key="accepted" at={run.acceptedAt} />],
    [t("queued"), queued === undefined ? "" : <Duration key="queued" ms={queued} />],
    [
      t("as"),
      <bdi key="as">{link(`/admin/people/users/${run.executeAsUserId}`, run.executeAsName)}</bdi>,
    ],
  ];
  if (run.callerUserId !== null) {
    const name = <bdi>{run.callerName}</bdi>;
    facts.push([t("caller"), link(`/admin/people/users/${run.callerUserId}`, name)]);
  }
  if (run.requestId !== null) {
    const href = `/admin/workflows/runs?requestId=${encodeURIComponent(run.requestId)}`;
    facts.push([t("request"), link(href, id(run.requestId))]);
  }
  if (run.parentRunId !== null) {
    const href = `/admin/workflows/runs?parentRunId=${run.parentRunId}`;
    facts.push([t("filters.parentRunId"), link(href, id(run.parentRunId))]);
  }
  if (run.tokenId !== null) facts.push([t("token"), id(run.tokenId)]);
  if (run.causedByRunId !== null) facts.push([t("causedBy"), id(run.causedByRunId)]);
  if (run.againOf !== null) {
    const { runId, from } = run.againOf;
    const before = <code className="font-mono text-2">{runId}</code>;
    const href = runPath(run.workflowId, runId, from ?? undefined);
    facts.push([t("againOf"), link(href, before)]);
    if (from !== null) facts.push([t("from"), id(from)]);
  }
  if (run.test !== null) {
    facts.push([t("test.effects"), t(`test.${run.test.effects}`)]);
    if (run.test.until !== null) facts.push([t("test.until"), id(run.test.until)]);
    if (run.test.mocked.length > 0) facts.push([t("mocked"), id(run.test.mocked.join(", "))]);
  }
  facts.push([
    t("startedRuns"),
    link(`/admin/workflows/runs?parentRunId=${run.id}`, t("startedRunsLink")),
  ]);
  return <Facts facts={facts} />;
}
