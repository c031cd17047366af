import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type ResourceEntry, resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { grantPath, newGrantPath } from "../access-paths.ts";
import {
  actionMethods,
  type Grant,
  grantsQuery,
  type Method,
  type Role,
} from "../access-queries.ts";
import { type MatrixSearch, resourcesOf, rolesOf } from "../access-search.ts";
import { AccessTabs } from "../access-tabs.tsx";
import { CellMark, grantKey, indexGrants, markedStates } from "./cell-mark.tsx";
import { MatrixGrid } from "./matrix-grid.tsx";
import { type CellPosition, ownGroups, placeOf } from "./matrix-layout.ts";

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

/** What the marks of the matrix mean. */
function Legend() {
  const t = useTranslations("access");
  return (
    <ul
      aria-label={t("matrix.legend")}
      className="flex flex-wrap gap-x-4 gap-y-1 text-2 text-ink-2"
    >
      {markedStates.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <CellMark state={state} isShut={false} />
          {t(`state.${state}`)}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <CellMark state="ALL" isShut />
        {t("matrix.shut")}
      </li>
    </ul>
  );
}

interface LostGrantsProps {
  readonly grants: readonly Grant[];
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
}

/** Names the grants that allow nothing because they lost a column, with the way to each. */
function LostGrants({ grants, resources, roles }: LostGrantsProps) {
  const t = useTranslations("access");
  const lost = grants.filter(({ effective }) => !effective);
  if (lost.length === 0) return null;
  return (
    <Notice kind="danger">
      <p className="font-medium">{t("lost.title", { count: lost.length })}</p>
      <ul className="grid gap-0.5">
        {lost.map((grant) => {
          const resource = resources.find(({ id }) => id === grant.resourceId);
          const role = roles.find(({ id }) => id === grant.roleId);
          return (
            <li key={grant.id}>
              <AppLink href={grantPath(grant.id)} className={linkClasses}>
                {t("lost.grant", {
                  role: role?.name ?? grant.roleId,
                  action: t(`action.${grant.action}`),
                  resource: resource === undefined ? grant.resourceId : resourceName(resource),
                })}
              </AppLink>{" "}
              {grant.lost
                .map(({ part, name }) => t("lost.part", { part: t(`part.${part}`), name }))
                .join(", ")}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

interface MatrixFiltersProps {
  readonly search: MatrixSearch;
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly onChange: (change: MatrixSearch) => void;
}

/** Narrows the matrix to names, a schema and a role. */
function MatrixFilters({ search, resources, roles, onChange }: MatrixFiltersProps) {
  const t = useTranslations("access");
  const schemas = [...new Set(resources.map(({ schema }) => schema))].toSorted();
  const own = roles.filter(({ isAdministrators }) => !isAdministrators);
  const given = (value: string) => (value === "" ? undefined : value);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label={t("matrix.search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t("matrix.schema")}
        value={search.schema ?? ""}
        options={[
          { value: "", label: t("matrix.all") },
          ...schemas.map((value) => ({ value, label: value, isName: true })),
        ]}
        onChange={(schema) => onChange({ schema: given(schema) })}
      />
      <Select
        label={t("matrix.role")}
        value={search.role ?? ""}
        options={[
          { value: "", label: t("matrix.all") },
          ...own
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name }) => ({ value: id, label: name, isName: true })),
        ]}
        onChange={(role) => onChange({ role: given(role) })}
      />
    </div>
  );
}

/** Changes the exposure of resources in place. */
interface Exposure {
  /** Why the last change failed. */
  readonly error: unknown;
  readonly toggle: (resource: ResourceEntry, method: Method) => void;
}

/**
 * Exposes or hides a method of a resource. The methods that another administrator changes meanwhile stay as they are:
 * each change begins with the present ones. Changes run one after the other.
 */
function useExposure(): Exposure {
  const queries = useQueryClient();
  const last = useRef<Promise<void>>(Promise.resolve());
  const [error, setError] = useState<unknown>();
  const show = (id: string, exposedMethods: readonly Method[]) =>
    queries.setQueryData(resourcesQuery.queryKey, (all) =>
      all?.map((one) => (one.id === id ? { ...one, exposedMethods: [...exposedMethods] } : one)),
    );
  const write = async (id: string, method: Method, isExposed: boolean): Promise<void> => {
    const { data } = await client.admin.get("/resources/{id}", { path: { id } });
    const exposedMethods = withMethod(data.exposedMethods, method, isExposed);
    await client.admin.patch("/resources/{id}", { path: { id }, data: { exposedMethods } });
    await queries.invalidateQueries({ queryKey: navigationQuery.queryKey });
  };
  return {
    error,
    toggle: ({ id, exposedMethods }, method) => {
      const isExposed = !exposedMethods.includes(method);
      setError(undefined);
      show(id, withMethod(exposedMethods, method, isExposed));
      last.current = last.current
        .then(() => write(id, method, isExposed))
        .catch(setError)
        .then(() => queries.invalidateQueries({ queryKey: ["resources"] }));
    },
  };
}

function withMethod(methods: readonly Method[], method: Method, isExposed: boolean): Method[] {
  const others = methods.filter((one) => one !== method);
  return isExposed ? [...others, method] : others;
}
