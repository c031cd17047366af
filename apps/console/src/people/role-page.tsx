import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { RecordPage } from "../shell/record-page.tsx";
import { TabLinks } from "../shell/tab-links.tsx";
import { useTitle } from "../shell/use-title.ts";
import { viewAs } from "../shell/viewed-as.ts";
import { linkClasses } from "../ui/link-classes.ts";
import { PageHead } from "../ui/page-head.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { DeleteRoleDialog } from "./delete-role-dialog.tsx";
import { type Role, roleQuery } from "./people-queries.ts";
import { RoleBadges } from "./role-badges.tsx";
import { RoleMembers } from "./role-members.tsx";
import { RoleSettings } from "./role-settings.tsx";

const route = getRouteApi("/frame/admin/people/roles/$id");
const tabs = ["members", "settings"] as const;

/** A role: its members, and its name and rights. */
export function RolePage() {
  const { id } = route.useParams();
  const { data: role, error, refetch } = useQuery(roleQuery(id));
  return (
    <RecordPage record={role} error={error} onRetry={() => void refetch()}>
      {(one) => <LoadedRole key={one.id} role={one} />}
    </RecordPage>
  );
}

function LoadedRole({ role }: { readonly role: Role }) {
  const t = useTranslations("roles");
  const people = useTranslations("people");
  const words = useTranslations("manage");
  const { tab: wanted } = route.useSearch();
  const [isDeleting, startDelete] = useState(false);
  useTitle(role.name);
  const path = `/admin/people/roles/${role.id}`;
  const tab = tabs.find((one) => one === wanted) ?? "members";
  return (
    <>
      <PageHead
        trail={
          <>
            <AppLink href="/admin/people/roles" className={linkClasses}>
              {people("tabs.roles")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={
          <>
            <span dir="auto">{role.name}</span>
            <span className="text-3">
              <RoleBadges role={role} />
            </span>
          </>
        }
        text={role.description === "" ? undefined : <RoleText text={role.description} />}
      >
        <ToolButton onClick={() => viewAs({ roleIds: [role.id], name: role.name })}>
          {people("viewAs")}
        </ToolButton>
        {!role.isAdministrators && (
          <ToolButton kind="danger" onClick={() => startDelete(true)}>
            {words("delete")}
          </ToolButton>
        )}
      </PageHead>
      <TabLinks
        label={role.name}
        tabs={[
          { href: path, label: t("members"), detail: String(role.memberCount) },
          { href: `${path}?tab=settings`, label: t("settings") },
        ]}
      />
      {tab === "members" && <RoleMembers role={role} />}
      {tab === "settings" && <RoleSettings role={role} />}
      {isDeleting && <DeleteRoleDialog role={role} onClose={() => startDelete(false)} />}
    </>
  );
}

/** The beginning of a description; the whole is in its tooltip and among the settings. */
function RoleText({ text }: { readonly text: string }) {
  return (
    <span className="line-clamp-3 wrap-anywhere" dir="auto" title={text}>
      {text}
    </span>
  );
}
