import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Listing } from "../../shell/listing.tsx";
import { MissingPage } from "../../shell/message-page.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { StateBadge } from "../../ui/entries.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { EmailField, NameField, useUserFaults } from "../account-fields.tsx";
import { usePeopleChange } from "../people-queries.ts";
import { searchOf } from "../people-search.ts";
import { StateFilter } from "../state-filter.tsx";
import {
  listManagedUsers,
  type ManagedTable,
  type ManagedUser,
  managedPath,
  nameOf,
  useManagedTables,
  userRows,
} from "./managed-users.ts";

const route = getRouteApi("/frame/app/people");

/** The accounts that somebody who is no administrator may see by grants on `system.users`. */
export function ManagedUsersPage() {
  const tables = useManagedTables();
  if (tables === undefined) return null;
  return tables.users.may("READ") ? (
    <ManagedUsers users={tables.users} />
  ) : (
    <MissingPage isInFrame />
  );
}

function ManagedUsers({ users }: { readonly users: ManagedTable }) {
  const t = useTranslations("people");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useState(false);
  useTitle(t("title"));
  const { state } = search;
  const active = state === "true" || state === "false" ? state === "true" : undefined;
  const filters = { ...searchOf(search), ...(active === undefined ? {} : { active }) };
  const listing = useListing(["people", "managed", filters], (page, signal) =>
    listManagedUsers(users, filters, page, signal),
  );
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("managedText")}>
        {users.may("CREATE") && (
          <ToolButton kind="primary" onClick={() => create(true)}>
            {t("new")}
          </ToolButton>
        )}
      </PageHead>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label={t("search")}
          value={search.search}
          onChange={(text) => filter({ search: text })}
        />
        {users.canRead("active") && (
          <StateFilter active={active} onChange={(next) => filter({ state: next })} />
        )}
      </div>
      <Listing
        listing={listing}
        isFiltered={Object.keys(filters).length > 0}
        empty={<EmptyState title={t("empty")} />}
      >
        {(items) => <ManagedList users={items} canRead={users.canRead} />}
      </Listing>
      {isCreating && <NewManagedUser users={users} onClose={() => create(false)} />}
    </div>
  );
}

function ManagedList(props: {
  readonly users: readonly ManagedUser[];
  readonly canRead: ManagedTable["canRead"];
}) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const { users, canRead } = props;
  const columns: readonly ListColumn<ManagedUser>[] = [
    {
      key: "name",
      label: words("name"),
      cell: (user) => <NameLink href={managedPath(user.id)} name={nameOf(user)} />,
    },
    {
      key: "email",
      label: t("email"),
      cell: ({ email }) => (
        <span dir="auto" title={email}>
          {email}
        </span>
      ),
    },
    {
      key: "active",
      label: t("state"),
      width: "w-48",
      cell: ({ active, is_system: isSystem }) =>
        isSystem === true ? (
          <StateBadge look="plain">{t("system")}</StateBadge>
        ) : (
          <StateBadge look={active === true ? "ok" : "warn"}>
            {t(active === true ? "active" : "inactive")}
          </StateBadge>
        ),
    },
  ];
  return (
    <ListTable
      label={t("tabs.users")}
      items={users}
      columns={columns.filter(({ key }) => key === "name" || canRead(key))}
      keyOf={({ id }) => id}
    />
  );
}

/** Creates an account by a grant on `system.users`, and opens its page. */
function NewManagedUser(props: { readonly users: ManagedTable; readonly onClose: () => void }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = usePeopleChange();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const hasName = props.users.canSet("name", "creatable");
  const task = useTask(async () => {
    const data = { email: email.trim(), ...(hasName ? { name: name.trim() } : {}) };
    const { row } = await userRows.create(data);
    await onChange();
    // Without a grant to read it, the new account is not among those of the list either.
    if (row === null) props.onClose();
    else open(managedPath(String(row.id)));
  }, ["/data/email", "/data/name"]);
  const faults = useUserFaults(task);
  return (
    <FormDialog title={t("new")} onClose={props.onClose} task={task} submit={words("create")}>
      <EmailField value={email} onChange={setEmail} fault={faults.email} isFirst />
      {hasName && <NameField value={name} onChange={setName} fault={faults.name} />}
      <p className="text-2 text-ink-2">{t("managedNewText")}</p>
    </FormDialog>
  );
}
