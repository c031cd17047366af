import { RowhouseError } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { viewAsPath } from "../access-paths.ts";
import { AccessTabs } from "../access-tabs.tsx";
import { ExplainForm } from "./explain-form.tsx";
import { ExplanationView } from "./explanation-view.tsx";
import { useExplanation } from "./use-explanation.ts";

const route = getRouteApi("/frame/admin/access/explain");

/** Why a person gets the answer of a request. */
export function ExplainPage() {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [body, setBody] = useState("");
  useTitle(t("explain.title"));
  const { data, error, isFetching, refetch } = useExplanation(search, body);
  const faults = error instanceof RowhouseError ? error.faults : [];
  const faultAt = (pointer: string) => faults.find(({ path }) => path === pointer)?.message;
  const isShown = ["/data/userId", "/data/path", "/data/body"].some(
    (pointer) => faultAt(pointer) !== undefined,
  );
  const { user, method, path } = search;
  return (
    <div className={pageClasses}>
      <PageHead title={t("explain.title")} text={t("explain.text")} />
      <AccessTabs />
      <ExplainForm
        key={`${user} ${method} ${path}`}
        search={search}
        faultAt={faultAt}
        onAsk={(next, given) => {
          const isSame = next.user === user && next.method === method && next.path === path;
          setBody(given);
          if (isSame && given === body) void refetch();
          else void navigate({ search: next });
        }}
      />
      {user !== undefined && (
        <p className="flex flex-wrap gap-x-4">
          <AppLink
            href={`/admin/people/users/${encodeURIComponent(user)}?tab=permissions`}
            className={linkClasses}
          >
            {t("explain.allPermissions")}
          </AppLink>
          {path !== undefined && (method ?? "GET") === "GET" && (
            <AppLink href={viewAsPath({ user, path })} className={linkClasses}>
              {t("explain.seeIt")}
            </AppLink>
          )}
        </p>
      )}
      {error !== null && !isShown && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && isFetching && <Skeleton label={words("loading")} rows={6} />}
      {data !== undefined && error === null && <ExplanationView explanation={data} />}
    </div>
  );
}
