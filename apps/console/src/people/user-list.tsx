import { useTranslations } from "use-intl";
import { Moment } from "../shell/moment.tsx";
import { NameLink } from "../shell/name-link.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import type { User } from "./people-queries.ts";
import { UserBadges } from "./user-badges.tsx";

/** A list names the first roles of a person, and counts the others. */
const shownRoles = 3;

/** Users with their roles, state and last sign-in. */
export function UserList({ users }: { readonly users: readonly User[] }) {
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
