import type { AdminOperations } from "@rowhouse/client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { Listing } from "../../shell/listing.tsx";
import { Moment } from "../../shell/moment.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import type { Listing as LoadedListing } from "../../shell/use-listing.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { Duration, msBetween } from "../parts/duration.tsx";
import { RunStatus } from "../parts/state-badges.tsx";
import { workflowPath } from "../parts/workflow-paths.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import { type RunFilter, type RunsSearch, runFilters } from "./runs-search.ts";

interface RunListingProps {
  readonly listing: LoadedListing<RunSummary>;
  readonly search: RunsSearch;
  readonly hasWorkflow: boolean;
  readonly onFilter: (change: RunsSearch) => void;
}

/** A list of runs with its filters. */
export function RunListing({ listing, search, hasWorkflow, onFilter }: RunListingProps) {
  const t = useTranslations("workflows");
  const slugs = new Map(listing.items?.map((run) => [run.workflowId, run.workflowSlug]));
  const { orderBy: _, ...filters } = search;
  return (
    <>
      <RunFilters
        search={search}
        nameOf={(name, value) => (name === "workflowId" ? (slugs.get(value) ?? value) : value)}
        onChange={onFilter}
      />
      {search.search !== undefined && listing.items?.length === 0 && listing.hasMore && (
        <Notice kind="info">{t("searchGoesOn")}</Notice>
      )}
      <Listing
        listing={listing}
        isFiltered={Object.values(filters).some((value) => value !== undefined)}
        empty={<EmptyState title={t("noRuns")} text={t("noRunsText")} />}
      >
        {(runs) => <RunList runs={runs} hasWorkflow={hasWorkflow} onFilter={onFilter} />}
      </Listing>
    </>
  );
}

/** Filters with a control of their own. */
const controls: ReadonlySet<RunFilter> = new Set(["search", "status", "origin"]);

interface RunFiltersProps {
  readonly search: RunsSearch;
  /** Shown in place of an id. */
  readonly nameOf: (filter: RunFilter, value: string) => string;
  readonly onChange: (change: RunsSearch) => void;
}

/** The filters of a list of runs, those without a control each with the button that removes it. */
function RunFilters({ search, nameOf, onChange }: RunFiltersProps) {
  const t = useTranslations("workflows");
  const choice = <Value extends string>(
    values: readonly Value[],
    labelOf: (value: Value) => string,
    chosen: string | undefined,
  ) => [
    { value: "", label: t("any") },
    ...values.map((value) => ({ value: value as string, label: labelOf(value) })),
    // Several values, which only an address names.
    ...(chosen?.includes(",") === true ? [{ value: chosen, label: chosen }] : []),
  ];
  const set = runFilters.filter((name) => !controls.has(name));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label={t("filters.search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t("status")}
        value={search.status ?? ""}
        options={choice(runStatuses, (one) => t(`statuses.${one}`), search.status)}
        onChange={(status) => onChange({ status: status === "" ? undefined : status })}
      />
      <Select
        label={t("origin")}
        value={search.origin ?? ""}
        options={choice(runOrigins, (one) => t(`origins.${one}`), search.origin)}
        onChange={(origin) => onChange({ origin: origin === "" ? undefined : origin })}
      />
      <Select
        label={t("order")}
        value={runOrders.find((one) => one === search.orderBy) ?? "-acceptedAt"}
        options={runOrders.map((value) => ({ value, label: t(`orders.${value}`) }))}
        onChange={(order) => onChange({ orderBy: order === "-acceptedAt" ? undefined : order })}
      />
      {set.map((name) => {
        const value = search[name];
        if (value === undefined) return null;
        return (
          <span
            key={name}
            className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
          >
            <span className="text-ink-2">{t(`filters.${name}`)}</span>
            <code className="truncate font-mono text-2">{nameOf(name, value)}</code>
            <IconButton
              label={t("removeFilter", { name: t(`filters.${name}`) })}
              icon={X}
              onPress={() => onChange({ [name]: undefined })}
            />
          </span>
        );
      })}
    </div>
  );
}

interface RunListProps {
  readonly runs: readonly RunSummary[];
  /** Whether the runs are those of several workflows. */
  readonly hasWorkflow: boolean;
  /** Narrows the list to runs that share a value. */
  readonly onFilter: (change: RunsSearch) => void;
}

/** Runs, each with its status, what started it and how long it took. A value leads to the runs that share it. */
function RunList({ runs, hasWorkflow, onFilter }: RunListProps) {
  const t = useTranslations("workflows");
  const narrow = (text: ReactNode, change: RunsSearch) => (
    <button
      type="button"
      className={`${linkClasses} max-w-full truncate`}
      onClick={() => onFilter(change)}
    >
      {text}
    </button>
  );
  const columns: readonly ListColumn<RunSummary>[] = [
    {
      key: "accepted",
      label: t("accepted"),
      width: "w-[19%]",
      cell: ({ id, workflowId, acceptedAt }) => (
        <AppLink
          href={`${workflowPath(workflowId, "runs")}/${id}`}
          className={`${linkClasses} font-medium`}
        >
          <Moment at={acceptedAt} />
        </AppLink>
      ),
    },
    ...(hasWorkflow
      ? [
          {
            key: "workflow",
            label: t("workflow"),
            cell: ({ workflowId, workflowSlug }: RunSummary) =>
              narrow(<bdi>{workflowSlug}</bdi>, { workflowId }),
          },
        ]
      : []),
    {
      key: "status",
      label: t("status"),
      width: "w-[13%]",
      cell: ({ status }) => <RunStatus status={status} />,
    },
    {
      key: "origin",
      label: t("origin"),
      width: "w-[14%]",
      cell: ({ origin }) => narrow(t(`origins.${origin}`), { origin }),
    },
    {
      key: "version",
      label: t("version"),
      width: "w-[8%]",
      cell: ({ versionNumber }) => versionNumber ?? t("draftVersion"),
    },
    {
      key: "error",
      label: t("error"),
      width: "w-[22%]",
      cell: ({ error }) =>
        error !== null && (
          <span title={error.message}>
            {narrow(<code className="font-mono text-2">{error.code}</code>, {
              errorCode: error.code,
            })}{" "}
            {error.step !== null && (
              <code className="font-mono text-2 text-ink-2">{error.step}</code>
            )}
          </span>
        ),
    },
    {
      key: "took",
      label: t("took"),
      width: "w-[10%]",
      isNumber: true,
      cell: ({ startedAt, finishedAt }) => {
        const ms = msBetween(startedAt, finishedAt);
        return ms === undefined ? "" : <Duration ms={ms} />;
      },
    },
  ];
  return <ListTable label={t("runs")} items={runs} columns={columns} keyOf={({ id }) => id} />;
}

type RunsQuery = AdminOperations["GET /workflow-runs"]["query"];

const runOrders = ["-acceptedAt", "acceptedAt", "-finishedAt", "finishedAt"] as const;
const runStatuses = [
  "QUEUED",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
] as const satisfies readonly RunSummary["status"][];
const runOrigins = [
  "WEBHOOK",
  "SCHEDULE",
  "EVENT",
  "MANUAL",
  "WORKFLOW",
  "AGAIN",
  "TEST",
] as const satisfies readonly RunSummary["origin"][];

/** The request of the filters. */
export function runsQuery({ orderBy, durationMinMs, ...texts }: RunsSearch): RunsQuery {
  const order = runOrders.find((one) => one === orderBy);
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return {
    ...Object.fromEntries(given),
    // The service refuses another text than digits, and says so.
    ...(durationMinMs === undefined ? {} : { durationMinMs: Number(durationMinMs) }),
    ...(order === undefined ? {} : { orderBy: order }),
  };
}
