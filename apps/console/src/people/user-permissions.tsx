import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import type { User } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";
import { PermissionList } from "./permission-list.tsx";

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
