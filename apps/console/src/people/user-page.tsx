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
import { Notice } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { type User, userQuery } from "./people-queries.ts";
import { UserBadges } from "./user-badges.tsx";
import { UserForm } from "./user-form.tsx";
import { UserPermissions } from "./user-permissions.tsx";
import { UserRoles } from "./user-roles.tsx";
import { UserSessions } from "./user-sessions.tsx";
import { UserStateDialog } from "./user-state-dialog.tsx";
import { UserTokens } from "./user-tokens.tsx";

const route = getRouteApi("/frame/admin/people/users/$id");
const tabs = ["profile", "permissions", "sessions", "tokens"] as const;

/** A person: profile and roles, what they may do, and their sessions. */
export function UserPage() {
  const { id } = route.useParams();
  const { data: user, error, refetch } = useQuery(userQuery(id));
  return (
    <RecordPage record={user} error={error} onRetry={() => void refetch()}>
      {(one) => <LoadedUser key={one.id} user={one} />}
    </RecordPage>
  );
}

function LoadedUser({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  const { tab: wanted } = route.useSearch();
  const [isAsking, ask] = useState(false);
  const { id, isSystem, active } = user;
  const name = user.name === "" ? user.email : user.name;
  useTitle(name);
  const path = `/admin/people/users/${id}`;
  const shown = isSystem ? tabs.slice(0, 2) : tabs;
  const tab = shown.find((one) => one === wanted) ?? "profile";
  return (
    <>
      <PageHead
        trail={
          <>
            <AppLink href="/admin/people/users" className={linkClasses}>
              {t("tabs.users")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={
          <>
            <span dir="auto">{name}</span>
            <span className="text-3">
              <UserBadges user={user} />
            </span>
          </>
        }
        text={
          <span className="wrap-anywhere" dir="auto">
            {user.email}
          </span>
        }
      >
        <AppLink
          href={`/admin/audit?actorUserId=${id}`}
          className="inline-flex h-7 items-center rounded-control border border-line-strong bg-surface px-2.5 font-medium hover:bg-sunken"
        >
          {t("trail")}
        </AppLink>
        {!isSystem && active && (
          <ToolButton onClick={() => viewAs({ userId: id, name })}>{t("viewAs")}</ToolButton>
        )}
        {!isSystem && (
          <ToolButton kind={active ? "danger" : "plain"} onClick={() => ask(true)}>
            {t(active ? "deactivate" : "activate")}
          </ToolButton>
        )}
      </PageHead>
      <TabLinks
        label={name}
        tabs={shown.map((one) => ({
          href: one === "profile" ? path : `${path}?tab=${one}`,
          label: t(`userTabs.${one}`),
        }))}
      />
      {isSystem && tab === "profile" && <Notice kind="info">{t("systemText")}</Notice>}
      {tab === "profile" && (
        <div className="grid max-w-200 gap-6">
          {!isSystem && <UserForm user={user} />}
          <UserRoles user={user} />
        </div>
      )}
      {tab === "permissions" && <UserPermissions user={user} />}
      {tab === "sessions" && <UserSessions user={user} />}
      {tab === "tokens" && <UserTokens user={user} />}
      {isAsking && <UserStateDialog user={user} name={name} onClose={() => ask(false)} />}
    </>
  );
}
