import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Listing } from "../shell/listing.tsx";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { Moment } from "../shell/moment.tsx";
import { NameLink } from "../shell/name-link.tsx";
import { NewPasswordField } from "../shell/new-password-field.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { TimeZoneField } from "../shell/time-zone-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { Select } from "../ui/select.tsx";
import { EmailField, NameField, useUserFaults } from "./account-fields.tsx";
import { UserBadges } from "./badges.tsx";
import { PeoplePage } from "./people-page.tsx";
import { type User, usePeopleChange } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";
import { StateFilter } from "./state-filter.tsx";

const route = getRouteApi("/frame/admin/people/users");

/** All users and system accounts. Search and filter are in the address. */
export function UsersPage() {
  const t = useTranslations("people");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useState(false);
  const active = (["true", "false"] as const).find((one) => one === search.state);
  const apiAccess = (["true", "false"] as const).find((one) => one === search.access);
  const filters = {
    ...searchOf(search),
    ...(active === undefined ? {} : { active }),
    ...(apiAccess === undefined ? {} : { apiAccess }),
  };
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
        <Select
          label={t("access")}
          value={apiAccess ?? ""}
          options={[
            { value: "", label: t("accessAll") },
            { value: "true", label: t("accessTrue") },
            { value: "false", label: t("accessFalse") },
          ]}
          onChange={(access) => filter({ access: access === "" ? undefined : access })}
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

/** A list names the first roles of a person, and counts the others. */
const shownRoles = 3;

/** Users with their roles, state and last sign-in. */
function UserList({ users }: { readonly users: readonly User[] }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const columns: readonly ListColumn<User>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ id, name, email }) => (
        <NameLink href={`/admin/people/users/${id}`} name={name === "" ? email : name} />
      ),
    },
    {
      key: "email",
      label: t("email"),
      width: "w-[24%]",
      cell: ({ email }) => (
        <span dir="auto" title={email}>
          {email}
        </span>
      ),
    },
    {
      key: "roles",
      label: t("roles"),
      cell: ({ roles }) => {
        const names = roles.map((role) => role.name).join(", ");
        const first = roles.slice(0, shownRoles).map((role) => role.name);
        const others = roles.length - first.length;
        return names === "" ? (
          <span className="text-ink-3">{words("none")}</span>
        ) : (
          <span dir="auto" title={names}>
            {others === 0 ? names : t("andOthers", { names: first.join(", "), count: others })}
          </span>
        );
      },
    },
    {
      key: "lastSignIn",
      label: t("lastSignIn"),
      width: "w-32",
      cell: ({ lastSignInAt }) =>
        lastSignInAt === null ? words("never") : <Moment at={lastSignInAt} hasTime={false} />,
    },
    { key: "state", label: t("state"), width: "w-48", cell: (user) => <UserBadges user={user} /> },
  ];
  return (
    <ListTable label={t("tabs.users")} items={users} columns={columns} keyOf={({ id }) => id} />
  );
}

/** Creates a user without roles, and opens their page. */
function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = usePeopleChange();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [timeZone, setTimeZone] = useState("");
  const [language, setLanguage] = useState("");
  const task = useTask(async () => {
    const { data } = await client.admin.post("/users", {
      data: {
        email: email.trim(),
        name: name.trim(),
        ...(password === "" ? {} : { password }),
        ...(timeZone.trim() === "" ? {} : { timeZone: timeZone.trim() }),
        ...(language === "" ? {} : { language }),
      },
    });
    await onChange();
    open(`/admin/people/users/${data.id}`);
  }, ["/data/email", "/data/name", "/data/password", "/data/timeZone"]);
  const faults = useUserFaults(task);
  return (
    <FormDialog title={t("new")} onClose={onClose} task={task} submit={words("create")}>
      <EmailField
        value={email}
        onChange={setEmail}
        hint={t("vouched")}
        fault={faults.email}
        isFirst
      />
      <NameField value={name} onChange={setName} fault={faults.name} />
      <NewPasswordField
        label={t("password")}
        value={password}
        onChange={setPassword}
        about={[email, name]}
        fault={task.faultAt("/data/password")}
      />
      <TimeZoneField
        label={t("timeZone")}
        hint={t("timeZoneHint")}
        fault={faults.timeZone}
        value={timeZone}
        onChange={setTimeZone}
      />
      <MailLanguageSelect
        label={t("language")}
        anyLabel={t("languageAny")}
        value={language}
        onChange={setLanguage}
      />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
