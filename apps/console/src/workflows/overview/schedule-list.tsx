import { useId } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { Moment } from "../../shell/moment.tsx";
import { linkClasses } from "../../ui/link-classes.ts";
import { workflowPath } from "../parts/workflow-paths.ts";
import type { Overview } from "./overview-query.ts";

const shownMax = 4;

/** The schedules that are due next. */
export function ScheduleList({ schedules }: { readonly schedules: Overview["schedules"] }) {
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
