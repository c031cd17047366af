import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { MissingPage } from "../../shell/missing-page.tsx";
import { RecordPage } from "../../shell/record-page.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ManagedRoles } from "./managed-roles.tsx";
import { type ManagedTable, useManagedTables } from "./managed-tables.ts";
import { ManagedUserForm } from "./managed-user-form.tsx";
import { type ManagedUser, nameOf, readManagedUser } from "./managed-users.ts";

const route = getRouteApi("/frame/app/people/$id");

/** The profile and the roles of a person, as far as grants on the tables of accounts reach. */
export function ManagedUserPage() {
  const { id } = route.useParams();
  const tables = useManagedTables();
  if (tables === undefined) return null;
  if (!tables.users.may("READ")) return <MissingPage isInFrame />;
  return <ManagedUserRecord key={id} id={id} tables={tables} />;
}

type Tables = NonNullable<ReturnType<typeof useManagedTables>>;

function ManagedUserRecord({ id, tables }: { readonly id: string; readonly tables: Tables }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["people", "managed-user", id],
    queryFn: async ({ signal }) => (await readManagedUser(tables.users, id, signal)).user,
  });
  return (
    <RecordPage record={data} error={error} onRetry={() => void refetch()}>
      {(user) => <LoadedUser user={user} tables={tables} />}
    </RecordPage>
  );
}

function LoadedUser({ user, tables }: { readonly user: ManagedUser; readonly tables: Tables }) {
  const t = useTranslations("people");
  const name = nameOf(user);
  useTitle(name);
  return (
    <>
      <PageHead
        trail={
          <>
            <AppLink href="/app/people" className={linkClasses}>
              {t("title")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={<span dir="auto">{name}</span>}
        text={
          <span className="wrap-anywhere" dir="auto">
            {user.email}
          </span>
        }
      />
      {user.is_system === true && <Notice kind="info">{t("systemText")}</Notice>}
      <div className="grid max-w-200 gap-6">
        {user.is_system !== true && mayChange(tables.users) && (
          <ManagedUserForm user={user} users={tables.users} />
        )}
        {tables.members.may("READ") && <ManagedRoles user={user} tables={tables} />}
      </div>
    </>
  );
}

function mayChange(users: ManagedTable): boolean {
  return users.may("UPDATE") && users.readable.some((name) => users.canSet(name, "updatable"));
}
