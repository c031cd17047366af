import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { FindBox, type Found } from "../../shell/find-box.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { usePeopleChange } from "../people-queries.ts";
import type { ManagedTable } from "./managed-tables.ts";
import { type ManagedUser, memberRows, nameOf, roleRows } from "./managed-users.ts";

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
        <AddRole user={user} without={(data ?? []).map(({ id }) => id)} />
      )}
      {leaving !== undefined && (
        <LeaveRole user={user} role={leaving} onClose={() => leave(undefined)} />
      )}
    </Section>
  );
}

interface MemberRow {
  readonly role_id: string;
  readonly role?: { readonly name: string } | null;
}

function AddRole({ user, without }: { user: ManagedUser; without: readonly string[] }) {
  const t = useTranslations("people");
  const onChange = usePeopleChange();
  const [chosen, choose] = useState<Found>();
  const [added, setAdded] = useState<string>();
  const task = useTask(async () => {
    if (chosen === undefined) return;
    setAdded(undefined);
    await memberRows.create({ role_id: chosen.id, user_id: user.id }).finally(onChange);
    setAdded(chosen.label);
    choose(undefined);
  }, []);
  const failure = task.code === "UNIQUE_VIOLATION" ? t("memberAlready") : task.failure;
  return (
    <form noValidate onSubmit={task.submit} className="grid gap-2">
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-[0_1_20rem]">
          <FindBox
            label={t("addRole")}
            chosen={chosen}
            onChoose={choose}
            findKey={["people", "find-managed-roles"]}
            find={findManagedRoles}
            without={without}
          />
        </div>
        <Button type="submit" isBusy={task.isBusy}>
          {t("add")}
        </Button>
      </div>
      <p role="status" className="text-2 text-ink-2 empty:hidden" dir="auto">
        {added === undefined ? "" : t("added", { name: added })}
      </p>
    </form>
  );
}

async function findManagedRoles(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { rows } = await roleRows.list({
    ...{ fields: ["id", "name"], orderBy: "name", limit: offered, signal },
    ...(text === "" ? {} : { search: text }),
  });
  return (rows as unknown as readonly ManagedRole[]).map(({ id, name }) => ({ id, label: name }));
}

function LeaveRole(props: {
  readonly user: ManagedUser;
  readonly role: ManagedRole;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { user, role, onClose } = props;
  const task = useTask(async () => {
    await memberRows.remove([role.id, user.id]).finally(onChange);
    onClose();
  }, []);
  return (
    <ConfirmDialog
      title={t("leaveTitle", { name: nameOf(user), role: role.name })}
      confirm={t("remove")}
      cancel={words("cancel")}
      failure={task.code === "NOT_FOUND" ? t("leftAlready") : task.failure}
      isBusy={task.isBusy}
      onConfirm={task.run}
      onClose={onClose}
    >
      {t("leaveText")}
    </ConfirmDialog>
  );
}
