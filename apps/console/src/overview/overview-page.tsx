import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { Moment } from "../shell/moment.tsx";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Concern } from "./concern.tsx";
import { type Overview, overviewQuery, type Resource } from "./overview-query.ts";
import { RunChart } from "./run-chart.tsx";

/** The first page of the administration: what needs a hand, each with the page that mends it, and the runs of the last day. */
export function OverviewPage() {
  const t = useTranslations("overview");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(overviewQuery);
  useTitle(t("title"));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      {error !== null && data === undefined && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {data !== undefined && (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <Concerns overview={data} />
          <RunChart runs={data.runs} readAt={data.readAt} />
        </div>
      )}
    </div>
  );
}

function Concerns({ overview }: { readonly overview: Overview }) {
  const t = useTranslations("overview");
  const unsafe = useTranslations("settings.unsafe");
  const format = useFormatter();
  const { unreached, ineffective, expiring, broken, lostMails, runs } = overview;
  const failed = runs.filter(({ status }) => status === "FAILED");
  const parts = [unreached, ineffective, expiring, broken, lostMails, failed, overview.unsafe];
  if (parts.every((part) => part.length === 0)) {
    return <EmptyState title={t("nothing")} text={t("nothingText")} />;
  }
  return (
    <>
      <Concern
        title={t("unreached.title")}
        text={t("unreached.text")}
        entries={unreached.map((resource) => ({
          key: resource.id,
          name: <bdi>{nameOf(resource)}</bdi>,
          href: accessPath(resource),
        }))}
      />
      <Concern
        title={t("ineffective.title")}
        text={t("ineffective.text")}
        entries={ineffective.map(({ grant, resource }) => ({
          key: grant.id,
          name: <bdi>{resource === undefined ? grant.resourceId : nameOf(resource)}</bdi>,
          detail: <code>{grant.lost.map(({ name }) => name).join(", ")}</code>,
          ...(resource === undefined ? {} : { href: accessPath(resource) }),
        }))}
      />
      <Concern
        title={t("expiring.title")}
        text={t("expiring.text")}
        entries={expiring.map((token) => ({
          key: token.id,
          name: <bdi>{token.name}</bdi>,
          detail: t("expiring.detail", {
            owner: token.owner.email,
            day: format.dateTime(new Date(token.expiresAt), { dateStyle: "medium" }),
          }),
          href: `/admin/people/users/${token.userId}`,
        }))}
      />
      <Concern
        title={t("unsafe.title")}
        text={t("unsafe.text")}
        entries={overview.unsafe.map(({ key, warning }) => ({
          key,
          name: <code>{key}</code>,
          detail: unsafe(warning),
          href: `/admin/settings?search=${encodeURIComponent(key)}`,
        }))}
      />
      <Concern
        title={t("broken.title")}
        text={t("broken.text")}
        entries={broken.map(({ id, name, problem }) => ({
          key: id,
          name: <bdi>{name}</bdi>,
          detail: <span lang="en">{problem}</span>,
          href: `/admin/workflows/${id}`,
        }))}
      />
      <Concern
        title={t("lostMails.title")}
        text={t("lostMails.text")}
        entries={lostMails.map(({ id, occurredAt, targetKind, targetId }) => ({
          key: id,
          name: <Moment at={occurredAt} />,
          detail: <code>{targetKind}</code>,
          href: `/admin/audit?search=mail.send&targetId=${targetId}`,
        }))}
      />
      <Concern
        title={t("failed.title")}
        text={t("failed.text")}
        entries={failed.map((run) => ({
          key: run.id,
          name: <code>{run.id}</code>,
          detail: <code>{run.error?.code}</code>,
          href: `/admin/workflows/${run.workflowId}/runs/${run.id}`,
        }))}
      />
    </>
  );
}

function nameOf({ schema, name }: Resource): string {
  return `${schema}.${name}`;
}

function accessPath(resource: Resource): string {
  return `/admin/access?search=${encodeURIComponent(nameOf(resource))}`;
}
