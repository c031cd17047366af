import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useId } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { Moment } from "../../shell/moment.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/select.tsx";
import { StackedBars } from "../../ui/stacked-bars.tsx";
import { toolClasses } from "../../ui/tool-button.tsx";
import { workflowPath } from "../parts/workflow-paths.ts";
import { workflowListKey } from "../parts/workflow-queries.ts";
import { WorkflowsFrame } from "../parts/workflows-frame.tsx";
import { type Overview, periods, workflowOverviewQuery } from "./overview-query.ts";
import { WorkflowList } from "./workflow-list.tsx";

const route = getRouteApi("/frame/admin/workflows");

/** All workflows. The search is in the address. */
export function WorkflowsPage() {
  const t = useTranslations("workflows");
  const { search, hours = 24 } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: overview } = useQuery({
    ...workflowOverviewQuery(hours),
    placeholderData: keepPreviousData,
  });
  const workflows = useListing([...workflowListKey, { search }], (page, signal) =>
    client.admin.get("/workflows", {
      query: { ...(search === undefined ? {} : { search }), ...page },
      signal,
    }),
  );
  const create = (
    <AppLink href="/admin/workflows/new" className={toolClasses("primary")}>
      {t("new")}
    </AppLink>
  );
  const isEmpty = search === undefined && workflows.items?.length === 0;
  return (
    <WorkflowsFrame tab="workflows" text={t("text")} actions={isEmpty ? undefined : create}>
      {overview !== undefined && !isEmpty && search === undefined && (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <RunBuckets
            overview={overview}
            hours={hours}
            onChange={(next) =>
              void navigate({ search: (last) => ({ ...last, hours: next }), replace: true })
            }
          />
          <ScheduleList schedules={overview.schedules} />
        </div>
      )}
      {!isEmpty && (
        <SearchField
          label={t("search")}
          value={search}
          onChange={(text) =>
            void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
          }
        />
      )}
      <Listing
        listing={workflows}
        isFiltered={search !== undefined}
        empty={
          <EmptyState title={t("empty")} text={t("emptyText")}>
            {create}
          </EmptyState>
        }
      >
        {(items) => <WorkflowList workflows={items} overview={overview} />}
      </Listing>
    </WorkflowsFrame>
  );
}

const shownMax = 4;

/** The schedules that are due next. */
function ScheduleList({ schedules }: { readonly schedules: Overview["schedules"] }) {
  const t = useTranslations("workflows.overview");
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-3 rounded-panel border border-line bg-surface p-4"
    >
      <h2 id={id} className="font-semibold text-4">
        {t("schedules")}
      </h2>
      {schedules.length === 0 ? (
        <p className="text-ink-2">{t("noSchedules")}</p>
      ) : (
        <ul className="grid gap-0.5">
          {schedules.slice(0, shownMax).map(({ workflowId, name, nextRunAt }) => (
            <li key={workflowId} className="flex min-w-0 items-baseline justify-between gap-3">
              <AppLink
                href={workflowPath(workflowId)}
                title={name}
                className={`${linkClasses} min-w-0 truncate`}
              >
                <bdi>{name}</bdi>
              </AppLink>
              <span className="shrink-0 text-ink-2">
                <Moment at={nextRunAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {schedules.length > shownMax && (
        <p className="text-2 text-ink-2">{t("more", { count: schedules.length - shownMax })}</p>
      )}
    </section>
  );
}

interface RunBucketsProps {
  readonly overview: Overview;
  /** The shown period. */
  readonly hours: number;
  readonly onChange: (hours: number) => void;
}

/** The ended runs of all workflows over time, and how many of them failed. */
function RunBuckets({ overview, hours, onChange }: RunBucketsProps) {
  const t = useTranslations("workflows.overview");
  const format = useFormatter();
  const id = useId();
  const { buckets } = overview;
  const sums = buckets.map(({ succeeded, failed, cancelled }) => succeeded + failed + cancelled);
  const all = sums.reduce((sum, one) => sum + one, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  return (
    <section
      aria-labelledby={id}
      className="grid content-start gap-3 rounded-panel border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="font-semibold text-4">
          {t("runs")}
        </h2>
        <p className="flex-1 text-ink-2">{t("counts", { all, failed })}</p>
        <Select
          label={t("period")}
          value={String(hours)}
          options={periods.map((one) => ({ value: String(one), label: t(`hours${one}`) }))}
          onChange={(value) => onChange(Number(value))}
        />
      </div>
      <StackedBars
        className="h-24 gap-px"
        bars={buckets.map(({ at, succeeded, failed: bad, cancelled }, index) => {
          const time = format.dateTime(new Date(at), {
            ...(hours > 24 ? { dateStyle: "short" } : {}),
            timeStyle: "short",
          });
          return {
            key: at,
            text: t("bucket", { time, all: sums[index] ?? 0, failed: bad }),
            parts: [
              { count: bad, className: "bg-danger" },
              { count: cancelled, className: "bg-line-strong" },
              { count: succeeded, className: "bg-ok" },
            ],
          };
        })}
      />
    </section>
  );
}
