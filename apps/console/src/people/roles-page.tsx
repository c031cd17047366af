import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { NewRoleDialog } from "./new-role-dialog.tsx";
import { PeoplePage } from "./people-page.tsx";
import { searchOf } from "./people-search.ts";
import { RoleList } from "./role-list.tsx";

const route = getRouteApi("/frame/admin/people/roles");

/** All roles with the number of their members. */
export function RolesPage() {
  const t = useTranslations("roles");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useState(false);
  const filters = searchOf(search);
  const roles = useListing(["people", "roles", filters], (page, signal) =>
    client.admin.get("/roles", { query: { ...filters, ...page }, signal }),
  );
  return (
    <PeoplePage tab="roles" text={t("text")} add={t("new")} onAdd={() => create(true)}>
      <SearchField
        label={t("search")}
        value={search.search}
        onChange={(text) =>
          void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
        }
      />
      <Listing
        listing={roles}
        isFiltered={search.search !== undefined}
        empty={<EmptyState title={t("empty")} />}
      >
        {(items) => <RoleList roles={items} />}
      </Listing>
      {isCreating && <NewRoleDialog onClose={() => create(false)} />}
    </PeoplePage>
  );
}
