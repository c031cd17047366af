import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import type { Found } from "../../shell/find-box.tsx";
import { MissingPage } from "../../shell/message-page.tsx";
import { RecordPage } from "../../shell/record-page.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { Entries, Entry } from "../../ui/entries.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { AddMembership, LeaveDialog } from "../memberships.tsx";
import { ManagedUserForm } from "./managed-user-form.tsx";
import {
  type ManagedTable,
  type ManagedUser,
  managedMemberships,
  memberRows,
  nameOf,
  readManagedUser,
  roleRows,
  useManagedTables,
} from "./managed-users.ts";

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

interface ManagedRole {
  readonly id: string;
  readonly name: string;
}

interface ManagedRolesProps {
  readonly user: ManagedUser;
  readonly tables: { readonly roles: ManagedTable; readonly members: ManagedTable };
}

const rolesMax = 1000;
const offered = 20;

/** The roles of a person, by rows of `system.role_members`. */
function ManagedRoles({ user, tables: { roles, members } }: ManagedRolesProps) {
  const t = useTranslations("people");
  const [leaving, leave] = useState<ManagedRole>();
  const person = { id: user.id, name: nameOf(user) };
  const hasNames = roles.canRead("name");
  const { data, error, refetch } = useQuery({
    queryKey: ["people", "managed-roles", user.id],
    queryFn: async ({ signal }): Promise<readonly ManagedRole[]> => {
      const fields = ["role_id", ...(hasNames ? ["role.name"] : [])];
      const where = { user_id: { _eq: user.id } };
      const { rows } = await memberRows.list({ fields, where, limit: rolesMax, signal });
      return (rows as unknown as readonly MemberRow[]).map(({ role_id: id, role }) => ({
        id,
        name: role?.name ?? id,
      }));
    },
  });
  return (
    <Section title={t("roles")} text={t("rolesText")}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <Entries>
          {data.map((role) => (
            <Entry
              key={role.id}
              name={<span dir="auto">{role.name}</span>}
              facts={[]}
              actions={
                members.may("DELETE") && (
                  <ToolButton
                    kind="danger"
                    aria-label={t("removeRole", { name: role.name })}
                    onClick={() => leave(role)}
                  >
                    {t("remove")}
                  </ToolButton>
                )
              }
            />
          ))}
        </Entries>
      )}
      {members.may("CREATE") && hasNames && (
        <AddMembership
          label={t("addRole")}
          submit={t("add")}
          findKey={["people", "find-managed-roles"]}
          find={findManagedRoles}
          without={(data ?? []).map(({ id }) => id)}
          membershipOf={({ id, label }) => ({ person, role: { id, name: label } })}
          by={managedMemberships}
        />
      )}
      {leaving !== undefined && (
        <LeaveDialog
          membership={{ person, role: leaving }}
          by={managedMemberships}
          onClose={() => leave(undefined)}
        />
      )}
    </Section>
  );
}

interface MemberRow {
  readonly role_id: string;
  readonly role?: { readonly name: string } | null;
}

async function findManagedRoles(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { rows } = await roleRows.list({
    ...{ fields: ["id", "name"], orderBy: "name", limit: offered, signal },
    ...(text === "" ? {} : { search: text }),
  });
  return (rows as unknown as readonly ManagedRole[]).map(({ id, name }) => ({ id, label: name }));
}
