import { type Fault, RowhouseError } from "@rowhouse/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { Snippet } from "../shell/snippet.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { ListTable } from "../ui/list-table.tsx";
import { Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import type { AppliedSource, Plan, PlanStep } from "./configuration-queries.ts";
import { applyPlanned, planFiles } from "./plan-requests.ts";
import { PlanStepItem } from "./plan-step.tsx";
import type { Files } from "./zip.ts";

/** The first part of the keys of queries that stay as they are when a plan is applied. */
export const planKey = "configuration-plan";

interface PlanReviewProps {
  /** What distinguishes these files from others, for the cache. */
  readonly id: string;
  readonly files: Files;
  readonly environment?: string | undefined;
  /** Where the files are from. */
  readonly source?: AppliedSource | undefined;
}

/** What files would change, step by step; asks for the consents that it needs, and applies exactly that. */
export function PlanReview({ id, files, environment, source }: PlanReviewProps) {
  const t = useTranslations("configuration");
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [planKey, id, environment],
    queryFn: ({ signal }) => {
      const options = environment === undefined ? {} : { environment };
      return planFiles({ files, options }, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const retry = () => void refetch();
  if (isFetching) return <Skeleton label={t("planning")} rows={6} />;
  if (error instanceof RowhouseError && error.faults.some(({ details }) => details?.file)) {
    return <PlanFaults faults={error.faults} />;
  }
  if (error !== null || data === undefined) return <FailureNotice error={error} onRetry={retry} />;
  return <LoadedPlan key={data.planId} plan={data} source={source} onPlanAgain={retry} />;
}

interface LoadedPlanProps {
  readonly plan: Plan;
  readonly source: AppliedSource | undefined;
  readonly onPlanAgain: () => void;
}

function LoadedPlan({ plan, source, onPlanAgain }: LoadedPlanProps) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  const cache = useQueryClient();
  const [consents, setConsents] = useState<ReadonlySet<string>>(new Set());
  const [applied, setApplied] = useState<number>();
  const { notInTransaction } = plan;
  const isLeft = ({ isOptional, needsConsent }: PlanStep) =>
    isOptional && needsConsent.some((name) => !consents.has(name));
  const steps = plan.steps.filter((step) => !isLeft(step));
  const needed = new Set(steps.flatMap(({ needsConsent }) => needsConsent));
  const missing = [...needed].filter((name) => !consents.has(name)).length;
  const isFailing = steps.some(({ failing }) => failing.length > 0);
  const task = useTask(async () => {
    const { commit, url } = source ?? {};
    const data = {
      consents: [...consents],
      source: { ...(commit ? { commit } : {}), ...(url ? { url } : {}) },
    };
    setApplied(await applyPlanned(plan, data));
    await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== planKey });
  }, []);
  const onConsent = (name: string, isGiven: boolean) =>
    setConsents((last) => {
      const next = new Set(last);
      if (isGiven) next.add(name);
      else next.delete(name);
      return next;
    });
  if (applied !== undefined) {
    return (
      <Notice kind="ok">
        {t("applied", { count: applied, number: format.number(applied) })}{" "}
        <AppLink href="/admin/configuration" className={linkClasses}>
          {t("toConfiguration")}
        </AppLink>
      </Notice>
    );
  }
  return (
    // What has the focus stays above the bar at the end.
    <div className="grid gap-4 **:scroll-mb-24">
      {isFailing && <Notice kind="danger">{t("failing")}</Notice>}
      {notInTransaction.length > 0 && (
        <Snippet heading="h2" title={t("ahead")} text={notInTransaction.join("\n")} />
      )}
      {plan.missing.length > 0 && (
        <NamedList title={t("missing")} items={plan.missing} end={t("missingText")} />
      )}
      {plan.notes.length > 0 && <NamedList title={t("withoutEffect")} items={plan.notes} />}
      {plan.steps.length === 0 ? (
        plan.missing.length === 0 && <Notice kind="info">{t("nothingToDo")}</Notice>
      ) : (
        <>
          <p className="text-ink-2">
            {t("planText", { count: steps.length, number: format.number(steps.length) })}
          </p>
          <ol className="rounded-panel border border-line bg-surface" aria-label={t("plan")}>
            {plan.steps.map((step, index) => (
              <PlanStepItem
                // A plan never changes; its steps have no other identity.
                key={String(index)}
                {...{ step, consents, onConsent }}
              />
            ))}
          </ol>
        </>
      )}
      {task.code === "PLAN_STALE" ? (
        <Notice kind="danger">
          <div className="grid justify-items-start gap-2">
            <p>{t("stale")}</p>
            <ToolButton onClick={onPlanAgain}>{t("planAgain")}</ToolButton>
          </div>
        </Notice>
      ) : (
        task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>
      )}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-line border-t bg-canvas py-3">
        {isFailing ? (
          <Button onPress={onPlanAgain}>{t("planAgain")}</Button>
        ) : (
          <Button
            kind={needed.size > 0 ? "danger" : "primary"}
            isBusy={task.isBusy || missing > 0}
            onPress={task.run}
          >
            {steps.length === 0
              ? t("record")
              : t("apply", { count: steps.length, number: format.number(steps.length) })}
          </Button>
        )}
        <AppLink href="/admin/configuration" className={linkClasses}>
          {t("cancel")}
        </AppLink>
        {missing > 0 && !isFailing && (
          <span className="text-ink-2">
            {t("consentsMissing", { count: missing, number: format.number(missing) })}
          </span>
        )}
      </div>
    </div>
  );
}

/** What a plan says of records, each with its file. */
function NamedList({
  title,
  items,
  end,
}: {
  readonly title: string;
  readonly items: Plan["missing"];
  readonly end?: string;
}) {
  return (
    <Notice kind="info">
      <div className="grid gap-2">
        <p className="font-medium">{title}</p>
        <ul className="grid gap-1">
          {items.map(({ document, subject, message }) => (
            <li key={`${document} ${subject} ${message}`} className="wrap-anywhere">
              <bdi className="font-medium">{subject}</bdi>: <span lang="en">{message}</span>{" "}
              <code className="font-mono text-2 text-ink-2">{document}</code>
            </li>
          ))}
        </ul>
        {end !== undefined && <p>{end}</p>}
      </div>
    </Notice>
  );
}

/** Faults of files, each with its place. */
function PlanFaults({ faults }: { readonly faults: readonly Fault[] }) {
  const t = useTranslations("configuration");
  return (
    <div className="grid gap-3">
      <Notice kind="danger">{t("faults", { count: faults.length })}</Notice>
      <ListTable
        label={t("faultList")}
        items={faults.map((fault, index) => ({ ...fault, key: String(index) }))}
        keyOf={({ key }) => key}
        columns={[
          {
            key: "place",
            label: t("place"),
            width: "w-80",
            cell: ({ details = {} }) => (
              <code className="font-mono text-2 wrap-anywhere">{placeOf(details)}</code>
            ),
          },
          {
            key: "message",
            label: t("fault"),
            cell: ({ message }) => (
              <span lang="en" className="wrap-anywhere">
                {message}
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}

function placeOf({ file, line, column }: NonNullable<Fault["details"]>): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
