import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { resourcePath } from "../../shell/resource-path.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { viewQuery } from "../model/queries.ts";
import { PresentationTab } from "../presentation/presentation-tab.tsx";
import { StructureTrail } from "../table/structure-trail.tsx";
import { DropViewDialog } from "./drop-view-dialog.tsx";
import { RefreshSection } from "./refresh-section.tsx";
import { ViewColumns } from "./view-columns.tsx";
import { ViewEditor } from "./view-editor.tsx";

const route = getRouteApi("/frame/admin/structure/$schema/view/$name");

/** One view: its definition, its columns with their sources, and the refresh of a materialized one. */
export function ViewPage() {
  const { schema, name } = route.useParams();
  const t = useTranslations("structure");
  const words = useTranslations("manage");
  const own = useTranslations("viewEditor");
  const { data, error, refetch } = useQuery(viewQuery(schema, name));
  const [isDropping, setDropping] = useState(false);
  useTitle(name);
  return (
    <div className={pageClasses}>
      <PageHead
        title={<span dir="auto">{name}</span>}
        trail={<StructureTrail schema={schema} />}
        text={data === undefined ? undefined : t(data.materialized ? "materialized" : "plainView")}
      >
        {data !== undefined && (
          <>
            <AppLink href={resourcePath({ schema, name, kind: "VIEW" })} className={linkClasses}>
              {t("openRows")}
            </AppLink>
            <ToolButton kind="danger" onClick={() => setDropping(true)}>
              {own("drop")}
            </ToolButton>
          </>
        )}
      </PageHead>
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {data !== undefined && (
        <>
          {data.materialized && <RefreshSection view={data} />}
          <ViewEditor key={data.resourceId} schema={schema} view={data} />
          <ViewColumns view={data} />
          <PresentationTab
            resourceId={data.resourceId}
            schema={schema}
            name={data.name}
            kind="view"
          />
        </>
      )}
      {isDropping && data !== undefined && (
        <DropViewDialog view={data} onClose={() => setDropping(false)} />
      )}
    </div>
  );
}
