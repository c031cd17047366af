import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { NewUserDialog } from "./new-user-dialog.tsx";
import { PeoplePage } from "./people-page.tsx";
import { searchOf } from "./people-search.ts";
import { StateFilter } from "./state-filter.tsx";
import { UserList } from "./user-list.tsx";

const route = getRouteApi("/frame/admin/people/users");

/** All users and system accounts. Search and filter are in the address. */
export function UsersPage() {
  const t = useTranslations("people");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useState(false);
  const active = (["true", "false"] as const).find((one) => one === search.state);
  const filters = { ...searchOf(search), ...(active === undefined ? {} : { active }) };
  const users = useListing(["people", "users", filters], (page, signal) =>
    client.admin.get("/users", { query: { ...filters, ...page }, signal }),
  );
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  return (
    <PeoplePage tab="users" text={t("text")} add={t("new")} onAdd={() => create(true)}>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label={t("search")}
          value={search.search}
          onChange={(text) => filter({ search: text })}
        />
        <StateFilter
          active={active === undefined ? undefined : active === "true"}
          onChange={(state) => filter({ state })}
        />
      </div>
      <Listing
        listing={users}
        isFiltered={Object.keys(filters).length > 0}
        empty={<EmptyState title={t("empty")} />}
      >
        {(items) => <UserList users={items} />}
      </Listing>
      {isCreating && <NewUserDialog onClose={() => create(false)} />}
    </PeoplePage>
  );
}
