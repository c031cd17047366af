import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { resourcePath } from "../shell/navigation.ts";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import type { User } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";

const route = getRouteApi("/frame/admin/people/users/$id");

/** What a person may do with each table and view, by the combined grants of their roles. */
export function UserPermissions({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const path = { id: user.id };
  const { data: standing } = useQuery({
    queryKey: ["people", "standing", user.id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/users/{id}/permissions", { path, query: { limit: 1 }, signal }))
        .data,
  });
  const filters = searchOf(search);
  const resources = useListing(
    ["people", "permissions", user.id, filters],
    async (page, signal) => {
      const query = { ...filters, ...page };
      const { data, meta } = await client.admin.get("/users/{id}/permissions", {
        path,
        query,
        signal,
      });
      return { data: data.resources, meta };
    },
  );
  const standingText = () => {
    if (standing === undefined) return undefined;
    if (!standing.active) return t("standing.inactive");
    if (standing.isAdministrator) return t("standing.administrator");
    if (!standing.hasApiAccess) return t("standing.noAccess");
    return t(standing.mayCreateTokens ? "standing.tokens" : "standing.noTokens");
  };
  const text = standingText();
  return (
    <Section title={t("userTabs.permissions")} text={t("permissionsText")}>
      {text !== undefined && <Notice kind="info">{text}</Notice>}
      <SearchField
        label={t("searchResources")}
        value={search.search}
        onChange={(value) =>
          void navigate({ search: (last) => ({ ...last, search: value }), replace: true })
        }
      />
      <Listing
        listing={resources}
        isFiltered={search.search !== undefined}
        empty={<EmptyState title={t("noPermissions")} text={t("noPermissionsText")} />}
      >
        {(items) => <PermissionList resources={items} />}
      </Listing>
    </Section>
  );
}

type Resource =
  AdminOperations["GET /users/{id}/permissions"]["answer"]["data"]["resources"][number];
type Action = Resource["actions"][number];

const actions = ["READ", "CREATE", "UPDATE", "DELETE"] as const;

/** What a person may do with tables and views, and the roles whose grants allow it. */
function PermissionList({ resources }: { readonly resources: readonly Resource[] }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const columns: readonly ListColumn<Resource>[] = [
    {
      key: "resource",
      label: t("resource"),
      cell: ({ schema, name, kind }) => (
        <AppLink
          href={resourcePath({ schema, name, kind })}
          className={`${linkClasses} max-w-full truncate align-middle font-mono text-2`}
          title={`${schema}.${name}`}
          dir="auto"
        >
          {`${schema}.${name}`}
        </AppLink>
      ),
    },
    ...actions.map((one) => ({
      key: one,
      label: t(`actions.${one}`),
      width: "w-28",
      cell: (resource: Resource) => (
        <ActionCell action={resource.actions.find(({ action }) => action === one)} />
      ),
    })),
    {
      key: "roles",
      label: t("byRoles"),
      cell: ({ grants }) => {
        const names = [...new Set(grants.map(({ roleName }) => roleName))].join(", ");
        return names === "" ? (
          words("none")
        ) : (
          <span dir="auto" title={names}>
            {names}
          </span>
        );
      },
    },
  ];
  return (
    <ListTable
      label={t("userTabs.permissions")}
      items={resources}
      columns={columns}
      keyOf={({ resourceId }) => resourceId}
    />
  );
}

/** Whether an action is allowed, in which rows, and on how many fields. */
function ActionCell({ action }: { readonly action: Action | undefined }) {
  const t = useTranslations("people");
  if (action === undefined || !action.isGranted) {
    return <span className="text-ink-3">{t("notAllowed")}</span>;
  }
  const isNew = action.action === "CREATE";
  const every = isNew ? "everyNewRow" : "everyRow";
  const rows = t(action.everyRow ? every : isNew ? "someNewRows" : "someRows");
  const fields =
    action.action === "DELETE" ? undefined : t("fields", { count: action.fields.length });
  const names = action.fields.map(({ name }) => name).join(", ");
  return (
    <span className="inline-grid align-middle" title={names === "" ? undefined : names}>
      <span>{rows}</span>
      <span className="text-2 text-ink-2">{action.isExposed ? fields : t("hidden")}</span>
    </span>
  );
}
