import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import type { FileRecord } from "../../records/library/file-record.ts";
import { keyOf, labelColumn, titleOf } from "../../records/model/resource.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import type { Navigation, NavigationResource } from "../../shell/navigation.ts";
import { resourcePath } from "../../shell/resource-path.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { PanelSection } from "./panel-section.tsx";
import { type FileUse, usesQuery } from "./uses-query.ts";

/** The rows that refer to a file, each with a link to it. */
export function FileUses(props: {
  readonly file: FileRecord;
  readonly resource: NavigationResource;
  readonly navigation: Navigation;
}) {
  const { file, resource, navigation } = props;
  const t = useTranslations("files.details");
  const { data, error, refetch } = useQuery(usesQuery(resource, navigation, file.id));
  return (
    <PanelSection title={t("uses")}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={t("uses")} rows={2} />}
      {data?.length === 0 && <p className="text-ink-2">{t("noUses")}</p>}
      {data?.map((use) => (
        <Use key={`${use.target.id} ${use.relation.name}`} use={use} />
      ))}
    </PanelSection>
  );
}

function Use({ use }: { readonly use: FileUse }) {
  const t = useTranslations("files.details");
  const format = useFormatter();
  const { target, rows, where, count } = use;
  const path = resourcePath(target);
  const filter = encodeURIComponent(JSON.stringify(where));
  return (
    <div className="grid gap-0.5">
      <p className="flex items-baseline justify-between gap-3">
        <AppLink
          href={`${path}?where=${filter}`}
          className={`${linkClasses} min-w-0 truncate font-medium`}
          dir="auto"
        >
          {titleOf(target)}
        </AppLink>
        <span className="shrink-0 text-ink-2 tabular-nums">{t("useCount", { count })}</span>
      </p>
      <ul>
        {rows.map((row, index) => {
          const key = keyOf(target, row);
          const label = row[labelColumn(target)?.name ?? ""];
          const text = label === null || label === undefined ? key?.join(", ") : String(label);
          return (
            <li key={key === null ? index : JSON.stringify(key)} className="truncate" dir="auto">
              {text ?? format.number(index + 1)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
