import type { AdminOperations } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { findUsers } from "../shell/find-people.ts";
import { Listing } from "../shell/listing.tsx";
import { Moment } from "../shell/moment.tsx";
import { NameLink } from "../shell/name-link.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { AddMembership, LeaveDialog, type Membership } from "./memberships.tsx";
import type { Role } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";

type Member = AdminOperations["GET /roles/{id}/members"]["answer"]["data"][number];

const route = getRouteApi("/frame/admin/people/roles/$id");

/** The members of a role. A person is found by name or address, and added. */
export function RoleMembers({ role }: { readonly role: Role }) {
  const t = useTranslations("roles");
  const people = useTranslations("people");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [leaving, leave] = useState<Membership>();
  const filters = searchOf(search);
  const path = { id: role.id };
  const members = useListing(["people", "members", role.id, filters], (page, signal) =>
    client.admin.get("/roles/{id}/members", { path, query: { ...filters, ...page }, signal }),
  );
  return (
    <div className="grid gap-4">
      <AddMembership
        label={t("addMember")}
        submit={people("add")}
        findKey={["people", "find-users"]}
        find={findUsers}
        without={(members.items ?? []).map(({ userId }) => userId)}
        membershipOf={({ id, label }) => ({ person: { id, name: label }, role })}
      />
      <SearchField
        label={t("searchMembers")}
        value={search.search}
        onChange={(text) =>
          void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
        }
      />
      <Listing
        listing={members}
        isFiltered={search.search !== undefined}
        empty={<EmptyState title={t("noMembers")} text={t("noMembersText")} />}
      >
        {(items) => (
          <MemberList
            members={items}
            onLeave={({ userId, name, email }) =>
              leave({ person: { id: userId, name: name === "" ? email : name }, role })
            }
          />
        )}
      </Listing>
      {leaving !== undefined && (
        <LeaveDialog membership={leaving} onClose={() => leave(undefined)} />
      )}
    </div>
  );
}

function MemberList(props: {
  readonly members: readonly Member[];
  readonly onLeave: (member: Member) => void;
}) {
  const t = useTranslations("roles");
  const people = useTranslations("people");
  const words = useTranslations("manage");
  const columns: readonly ListColumn<Member>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ userId, name, email }) => (
        <NameLink href={`/admin/people/users/${userId}`} name={name === "" ? email : name} />
      ),
    },
    {
      key: "email",
      label: people("email"),
      cell: ({ email, active }) => (
        <span className="inline-flex max-w-full items-center gap-2 align-middle">
          <span className="truncate" dir="auto" title={email}>
            {email}
          </span>
          {!active && <StateBadge look="warn">{people("inactive")}</StateBadge>}
        </span>
      ),
    },
    {
      key: "since",
      label: t("since"),
      width: "w-44",
      cell: ({ createdAt }) => <Moment at={createdAt} hasTime={false} />,
    },
    {
      key: "actions",
      label: words("actions"),
      width: "w-32",
      cell: (member) => (
        <ToolButton
          kind="danger"
          aria-label={people("removeMember", {
            name: member.name === "" ? member.email : member.name,
          })}
          onClick={() => props.onLeave(member)}
        >
          {people("remove")}
        </ToolButton>
      ),
    },
  ];
  return (
    <ListTable
      label={t("members")}
      items={props.members}
      columns={columns}
      keyOf={({ userId }) => userId}
    />
  );
}
