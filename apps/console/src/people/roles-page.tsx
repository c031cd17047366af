import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { RecordDialog } from "../kinds/record-dialog.tsx";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { ManagedMark } from "../shell/managed.tsx";
import { NameLink } from "../shell/name-link.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { RoleBadges } from "./badges.tsx";
import { PeoplePage } from "./people-page.tsx";
import { type Role, usePeopleChange } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";

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

/** Creates a role without members and grants, and opens its page. */
function NewRoleDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("roles");
  const open = useOpen();
  const onChange = usePeopleChange();
  return (
    <RecordDialog
      kind="role"
      title={t("new")}
      text={t("newText")}
      onSaved={async ({ id }) => {
        await onChange();
        open(`/admin/people/roles/${id}`);
      }}
      onClose={onClose}
    />
  );
}

/** Roles with the number of their members. */
function RoleList({ roles }: { readonly roles: readonly Role[] }) {
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const format = useFormatter();
  const columns: readonly ListColumn<Role>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name }) => (
        <NameLink
          href={`/admin/people/roles/${id}`}
          name={name}
          mark={<ManagedMark part="roles" names={[name]} />}
        />
      ),
    },
    {
      key: "description",
      label: words("description"),
      cell: ({ description }) => (
        <span dir="auto" title={description}>
          {description}
        </span>
      ),
    },
    {
      key: "members",
      label: t("members"),
      width: "w-28",
      isNumber: true,
      cell: ({ memberCount }) => format.number(memberCount),
    },
    {
      key: "rights",
      label: t("rights"),
      width: "w-72",
      cell: (role) => <RoleBadges role={role} />,
    },
  ];
  return <ListTable label={t("title")} items={roles} columns={columns} keyOf={({ id }) => id} />;
}
