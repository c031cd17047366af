import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { findRoles, userFound } from "../shell/find-people.ts";
import { RecordPage } from "../shell/record-page.tsx";
import { TabLinks } from "../shell/tab-links.tsx";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { viewAs } from "../shell/viewed-as.ts";
import { linkClasses } from "../ui/classes.ts";
import { Entries, Entry } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Section } from "../ui/section.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { UserBadges } from "./badges.tsx";
import { AddMembership, LeaveDialog, type Membership } from "./memberships.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { type User, usePeopleChange, userQuery } from "./people-queries.ts";
import { TokenListing } from "./token-listing.tsx";
import { UserForm } from "./user-form.tsx";
import { UserPermissions } from "./user-permissions.tsx";
import { UserSessions } from "./user-sessions.tsx";

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

/** The access tokens of one person. */
function UserTokens({ user }: { readonly user: User }) {
  const t = useTranslations("tokens");
  const people = useTranslations("people");
  const [isCreating, create] = useState(false);
  return (
    <Section
      title={people("userTabs.tokens")}
      text={t("rights")}
      aside={
        <ToolButton kind="primary" onClick={() => create(true)}>
          {t("new")}
        </ToolButton>
      }
    >
      <TokenListing search={{ userId: user.id }} isOfOne />
      {isCreating && (
        <NewTokenDialog
          owner={userFound(user.id, user.name, user.email)}
          onClose={() => create(false)}
        />
      )}
    </Section>
  );
}

/** Says what deactivation or activation does, and does it. */
function UserStateDialog(props: {
  readonly user: User;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const onChange = usePeopleChange();
  const { user, name, onClose } = props;
  const path = { id: user.id };
  const deed = user.active ? "deactivate" : "activate";
  const task = useTask(async () => {
    if (user.active) await client.admin.post("/users/{id}/deactivate", { path });
    else await client.admin.post("/users/{id}/activate", { path });
    await onChange();
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(`${deed}Title`, { name })}
      confirm={t(deed)}
      isHarmless={!user.active}
      failure={task.code === "CONFLICT" ? t("lastAdministrator") : undefined}
      task={task}
      onClose={onClose}
    >
      {t(`${deed}Text`)}
    </ConfirmTask>
  );
}

/** The roles of a person, which decide what they may do. A role is added by its name. */
function UserRoles({ user }: { readonly user: User }) {
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
