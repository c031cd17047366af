import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { Moment } from "../shell/moment.tsx";
import { useTitle } from "../shell/use-title.ts";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StackedBars } from "../ui/stacked-bars.tsx";
import { dayMs, type Overview, overviewQuery, type Resource, type Run } from "./overview-query.ts";

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

/** More are on the page that mends them. */
const shownMax = 5;

interface ConcernProps {
  readonly title: string;
  readonly text: string;
  readonly entries: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly detail?: ReactNode;
    /** The page that mends it. */
    readonly href?: string;
  }[];
}

/** Something that needs a hand: why, and each entry with the way to mend it. */
function Concern({ title, text, entries }: ConcernProps) {
  const t = useTranslations("overview");
  const id = useId();
  if (entries.length === 0) return null;
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-2 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="font-semibold text-4">
          {title}
        </h2>
        <StateBadge look="warn">{t("count", { count: entries.length })}</StateBadge>
      </div>
      <p className="text-ink-2">{text}</p>
      <ul className="grid gap-1">
        {entries.slice(0, shownMax).map(({ key, name, detail, href }) => (
          <li key={key} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
            {href === undefined ? (
              <span className="min-w-0 wrap-anywhere">{name}</span>
            ) : (
              <AppLink href={href} className={`${linkClasses} min-w-0 wrap-anywhere`}>
                {name}
              </AppLink>
            )}
            {detail !== undefined && (
              <span className="text-2 text-ink-2 wrap-anywhere">{detail}</span>
            )}
          </li>
        ))}
      </ul>
      {entries.length > shownMax && (
        <p className="text-2 text-ink-2">{t("more", { count: entries.length - shownMax })}</p>
      )}
    </section>
  );
}

const hours = 24;
const hourMs = dayMs / hours;

interface RunChartProps {
  readonly runs: readonly Run[];
  readonly readAt: number;
}

/** The runs of the last day by the hour, and how many of them failed. */
function RunChart({ runs, readAt }: RunChartProps) {
  const t = useTranslations("overview");
  const format = useFormatter();
  const id = useId();
  const bars = Array.from({ length: hours }, (_, index) => ({
    from: readAt - (hours - index) * hourMs,
    all: 0,
    failed: 0,
  }));
  for (const { acceptedAt, status } of runs) {
    const bar = bars[Math.floor((Date.parse(acceptedAt) - readAt + dayMs) / hourMs)];
    if (bar === undefined) continue;
    bar.all += 1;
    if (status === "FAILED") bar.failed += 1;
  }
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-3 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="font-semibold text-4">
          {t("runs")}
        </h2>
        <p className="text-ink-2">{t("runCounts", { all: runs.length, failed })}</p>
      </div>
      {runs.length > 0 && (
        <StackedBars
          className="h-20 gap-0.5"
          bars={bars.map(({ from, all, failed: bad }) => {
            const hour = format.dateTime(new Date(from), { hour: "numeric", minute: "numeric" });
            return {
              key: from,
              text: t("hour", { hour, all, failed: bad }),
              parts: [
                { count: bad, className: "bg-danger" },
                { count: all - bad, className: "bg-accent" },
              ],
            };
          })}
        />
      )}
    </section>
  );
}
