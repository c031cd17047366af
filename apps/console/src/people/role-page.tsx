import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { GrantMatrix } from "../grants/matrix/grant-matrix.tsx";
import { readMatrixSearch } from "../grants/model/matrix-search.ts";
import { formOf, pointersOf } from "../kinds/record-facts.ts";
import { RecordFields } from "../kinds/record-fields.tsx";
import { AppLink, useOpen } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { LockedFields, ManagedNotice, useManagedLock } from "../shell/managed.tsx";
import { RecordPage } from "../shell/record-page.tsx";
import { TabLinks } from "../shell/tab-links.tsx";
import { useRecordForm } from "../shell/use-record-form.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { viewAs } from "../shell/viewed-as.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { Notice } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { panelClasses } from "../ui/section.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { RoleBadges } from "./badges.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { type Role, roleQuery, usePeopleChange } from "./people-queries.ts";
import { RoleMembers } from "./role-members.tsx";

const route = getRouteApi("/frame/admin/people/roles/$id");
const tabs = ["members", "rights", "settings"] as const;

/** A role: its members, what they may do with each table, and its settings. */
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
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isDeleting, startDelete] = useState(false);
  const [isInviting, invite] = useState(false);
  const lock = useManagedLock("roles", [role.name]);
  useTitle(role.name);
  const path = `/admin/people/roles/${role.id}`;
  const tab = tabs.find((one) => one === search.tab) ?? "members";
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
        <ToolButton onClick={() => invite(true)}>{t("invite")}</ToolButton>
        <ToolButton onClick={() => viewAs({ roleIds: [role.id], name: role.name })}>
          {people("viewAs")}
        </ToolButton>
        {!role.isAdministrators && (
          <ToolButton kind="danger" disabled={lock.isLocked} onClick={() => startDelete(true)}>
            {words("delete")}
          </ToolButton>
        )}
      </PageHead>
      <ManagedNotice lock={lock} />
      <TabLinks
        label={role.name}
        tabs={[
          { href: path, label: t("members"), detail: String(role.memberCount) },
          { href: `${path}?tab=rights`, label: t("rights") },
          { href: `${path}?tab=settings`, label: t("settings") },
        ]}
      />
      {tab === "members" && <RoleMembers role={role} />}
      {tab === "rights" && role.isAdministrators && (
        <Notice kind="info">{t("administratorsRights")}</Notice>
      )}
      {tab === "rights" && !role.isAdministrators && (
        <GrantMatrix
          label={t("rights")}
          roleId={role.id}
          lock={lock}
          search={readMatrixSearch({ ...search })}
          onSearch={(change) =>
            void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
          }
        />
      )}
      {tab === "settings" && <RoleSettings role={role} isLocked={lock.isLocked} />}
      {isInviting && (
        <InviteDialog roles={[{ id: role.id, label: role.name }]} onClose={() => invite(false)} />
      )}
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

const countedMax = 1000;

/** Says how many members and grants a role has, and deletes it with them. */
function DeleteRoleDialog(props: { readonly role: Role; readonly onClose: () => void }) {
  const t = useTranslations("roles");
  const open = useOpen();
  const onChange = usePeopleChange();
  const { role, onClose } = props;
  const { data: grants } = useQuery({
    queryKey: ["people", "role-grants", role.id],
    queryFn: async ({ signal }) => {
      const query = { roleId: role.id, limit: countedMax };
      return (await client.admin.get("/grants", { query, signal })).data.length;
    },
  });
  const task = useTask(async () => {
    await client.admin.delete("/roles/{id}", { path: { id: role.id } });
    open("/admin/people/roles");
    await onChange();
  }, []);
  return (
    <ConfirmTask
      title={t("deleteTitle", { name: role.name })}
      confirm={t("deleteConfirm")}
      task={task}
      onClose={onClose}
    >
      <div className="grid gap-2">
        <p>{t("deleteMembers", { count: role.memberCount })}</p>
        {grants !== undefined && <p>{t("deleteGrants", { count: grants })}</p>}
        <p>{t("deleteText")}</p>
      </div>
    </ConfirmTask>
  );
}

/** Name, description and rights of a role. Only fields that differ are sent. */
function RoleSettings(props: { readonly role: Role; readonly isLocked: boolean }) {
  const { role, isLocked } = props;
  const t = useTranslations("roles");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const onChange = usePeopleChange();
  const path = { id: role.id };
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: formOf("role", role),
    read: async () => {
      const { data, etag } = await client.admin.get("/roles/{id}", { path });
      cache.setQueryData(roleQuery(role.id).queryKey, data);
      return { fields: formOf("role", data), etag };
    },
    write: async (data, ifMatch) => {
      const answer = await client.admin.patch("/roles/{id}", { path, data, ifMatch });
      await onChange();
      return formOf("role", answer.data);
    },
    pointers: pointersOf("role"),
  });
  const losesAccess = base.apiAccess && !form.apiAccess;
  return (
    <form noValidate onSubmit={task.submit} className={`${panelClasses} max-w-200`}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {outcome === "changed" && (
        <Notice kind="danger">{t("changed", { name: base.name, text: base.description })}</Notice>
      )}
      <LockedFields isLocked={isLocked}>
        <RecordFields
          kind="role"
          form={form}
          onChange={setForm}
          task={task}
          kept={role.isAdministrators ? ["apiAccess"] : []}
        />
        {losesAccess && (
          <Notice kind="info">{t("losesAccess", { count: role.memberCount })}</Notice>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" kind="primary" isBusy={task.isBusy}>
            {words("save")}
          </Button>
          {outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
        </div>
      </LockedFields>
    </form>
  );
}
