import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { findRoles } from "../shell/find-people.ts";
import { Entries, Entry } from "../ui/entries.tsx";
import { linkClasses } from "../ui/link-classes.ts";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { AddMembership } from "./add-membership.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import type { Membership } from "./memberships.ts";
import type { User } from "./people-queries.ts";

/** The roles of a person, which decide what they may do. A role is added by its name. */
export function UserRoles({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  const [leaving, leave] = useState<Membership>();
  const person = { id: user.id, name: user.name === "" ? user.email : user.name };
  return (
    <Section title={t("roles")} text={t("rolesText")}>
      {user.roles.length === 0 && !user.isSystem && <Notice kind="info">{t("noRoles")}</Notice>}
      {user.roles.length > 0 && (
        <Entries>
          {user.roles.map((role) => (
            <Entry
              key={role.id}
              name={
                <AppLink href={`/admin/people/roles/${role.id}`} className={linkClasses} dir="auto">
                  {role.name}
                </AppLink>
              }
              facts={[]}
              actions={
                !user.isSystem && (
                  <ToolButton
                    kind="danger"
                    aria-label={t("removeRole", { name: role.name })}
                    onClick={() => leave({ person, role })}
                  >
                    {t("remove")}
                  </ToolButton>
                )
              }
            />
          ))}
        </Entries>
      )}
      {!user.isSystem && (
        <AddMembership
          label={t("addRole")}
          submit={t("add")}
          findKey={["people", "find-roles"]}
          find={findRoles}
          without={user.roles.map(({ id }) => id)}
          membershipOf={(found) => ({
            person,
            role: { id: found.id, name: found.label },
          })}
        />
      )}
      {leaving !== undefined && (
        <LeaveDialog membership={leaving} onClose={() => leave(undefined)} />
      )}
    </Section>
  );
}
