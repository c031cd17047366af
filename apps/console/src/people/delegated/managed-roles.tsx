import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import type { Found } from "../../shell/find-box.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { AddMembership } from "../add-membership.tsx";
import { LeaveDialog } from "../leave-dialog.tsx";
import type { ManagedTable } from "./managed-tables.ts";
import {
  type ManagedUser,
  managedMemberships,
  memberRows,
  nameOf,
  roleRows,
} from "./managed-users.ts";

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
export function ManagedRoles({ user, tables: { roles, members } }: ManagedRolesProps) {
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
