import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useTitle } from "../../shell/use-title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { grantPath, newGrantPath } from "../access-paths.ts";
import { actionMethods, grantsQuery } from "../access-queries.ts";
import { AccessTabs } from "../access-tabs.tsx";
import { grantKey, indexGrants } from "./cell-state.ts";
import { Legend } from "./legend.tsx";
import { LostGrants } from "./lost-grants.tsx";
import { MatrixFilters } from "./matrix-filters.tsx";
import { MatrixGrid } from "./matrix-grid.tsx";
import { type CellPosition, ownGroups, placeOf } from "./matrix-layout.ts";
import { type MatrixSearch, resourcesOf, rolesOf } from "./matrix-search.ts";
import { useExposure } from "./use-exposure.ts";

const route = getRouteApi("/frame/admin/access");

/** Who may do what: the exposure of each resource, and the grant of each role for each action. */
export function MatrixPage() {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const describe = useFailureText();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const open = useOpen();
  useTitle(t("title"));
  const all = {
    resources: useQuery(resourcesQuery),
    roles: useQuery(rolesQuery),
    grants: useQuery(grantsQuery),
  };
  const exposure = useExposure();
  const failed = Object.values(all).find(({ error, data }) => error !== null && data === undefined);
  const resources = useMemo(
    () => resourcesOf(all.resources.data ?? [], search),
    [all.resources.data, search],
  );
  const roles = useMemo(() => rolesOf(all.roles.data ?? [], search), [all.roles.data, search]);
  const grants = useMemo(() => indexGrants(all.grants.data ?? []), [all.grants.data]);
  const isLoaded = Object.values(all).every(({ data }) => data !== undefined);
  const filter = (change: MatrixSearch) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  const activate = ({ row, column }: CellPosition) => {
    const resource = resources[row];
    const { group, slot } = placeOf(column);
    const pair = actionMethods[slot];
    if (resource === undefined || pair === undefined) return;
    const role = roles[group - ownGroups];
    if (role === undefined) {
      exposure.toggle(resource, pair.method);
      return;
    }
    const grant = grants.get(grantKey(resource.id, role.id, pair.action));
    const given = { role: role.id, resource: resource.id, action: pair.action };
    open(grant === undefined ? newGrantPath(given) : grantPath(grant.id));
  };
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("matrix.text")} />
      <AccessTabs />
      {failed !== undefined && (
        <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {!isLoaded && failed === undefined && <Skeleton label={words("loading")} rows={8} />}
      {isLoaded && (
        <>
          <MatrixFilters
            search={search}
            resources={all.resources.data ?? []}
            roles={all.roles.data ?? []}
            onChange={filter}
          />
          <LostGrants
            grants={all.grants.data ?? []}
            resources={all.resources.data ?? []}
            roles={all.roles.data ?? []}
          />
          {exposure.error !== undefined && (
            <Notice kind="danger">{describe(exposure.error)}</Notice>
          )}
          {resources.length === 0 ? (
            <EmptyState
              title={all.resources.data?.length === 0 ? t("matrix.empty") : words("nothingFound")}
            />
          ) : (
            <>
              <MatrixGrid
                label={t("title")}
                {...{ resources, roles, grants }}
                onActivate={activate}
              />
              <Legend />
            </>
          )}
        </>
      )}
    </div>
  );
}
