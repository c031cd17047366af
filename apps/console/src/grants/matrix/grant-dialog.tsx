import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { rowFilterOf, settingOf } from "../model/grant-draft.ts";
import { type Action, actionMethods, grantKey, type Role } from "../model/grant-queries.ts";
import { allTerms, ownersOf, ownersQuery, ownTerms } from "../model/owner-columns.ts";
import { useSettingTask } from "../model/setting-task.ts";
import type { GrantChanges, SetGrant } from "../model/use-grant-changes.ts";
import type { GrantIndex } from "./cell-mark.tsx";

interface GrantDialogProps {
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly grants: GrantIndex;
  readonly changes: GrantChanges;
  readonly onClose: () => void;
}

type Rows = "all" | "own" | "read";

/** Grants a role some actions on several tables: on all rows, or on the rows of each member. */
export function GrantDialog({ resources, roles, grants, changes, onClose }: GrantDialogProps) {
  const t = useTranslations("access");
  const [roleId, setRole] = useState(roles[0]?.id ?? "");
  const [actions, setActions] = useState<ReadonlySet<Action>>(new Set(["READ"]));
  const [rows, setRows] = useState<Rows>("all");
  const { data: owners } = useQuery(ownersQuery);
  /** Without an owner column, or with several, a table has no own rows here. */
  const ownerOf = (resource: ResourceEntry) => {
    const possible = ownersOf(owners, resource);
    return possible.length === 1 ? possible[0] : undefined;
  };
  /** The filter of READ that a grant to change or delete would exceed; null if none. */
  const seenBy = ({ id }: ResourceEntry, action: Action) => {
    const read = grants.get(grantKey(id, roleId, "READ"));
    const isUnseen = (action === "UPDATE" || action === "DELETE") && !actions.has("READ");
    return isUnseen && read !== undefined ? rowFilterOf(read) : null;
  };
  const exceeding = resources.filter((one) =>
    [...actions].some((action) => seenBy(one, action) !== null),
  ).length;
  const settings: readonly SetGrant[] = resources.flatMap((resource) =>
    [...actions].flatMap((action) => {
      if (resource.kind === "VIEW" && action !== "READ") return [];
      const owner = rows === "own" ? ownerOf(resource) : undefined;
      if (rows === "own" && owner === undefined) return [];
      const terms = owner === undefined ? allTerms : ownTerms(action, owner);
      const rowFilter = rows === "read" ? seenBy(resource, action) : terms.rowFilter;
      return [settingOf({ roleId, resourceId: resource.id, action, ...terms, rowFilter })];
    }),
  );
  const replaced = settings.filter((one) =>
    grants.has(grantKey(one.resourceId, one.roleId, one.action)),
  ).length;
  const without = resources.filter((one) => ownerOf(one) === undefined);
  const task = useSettingTask(changes, settings, onClose);
  return (
    <FormDialog
      title={t("bulk.grantTitle", { count: resources.length })}
      task={task}
      submit={t("bulk.grantSubmit", { count: settings.length })}
      isReady={settings.length > 0}
      onClose={onClose}
    >
      <Select
        label={t("grant.role")}
        value={roleId}
        options={roles.map(({ id, name }) => ({ value: id, label: name, isName: true }))}
        onChange={setRole}
      />
      <fieldset className="grid gap-0.5">
        <legend className="mb-1 font-medium">{t("grant.action")}</legend>
        {actionMethods.map(({ action }) => (
          <Checkbox
            key={action}
            label={t(`menu.what.${action}`)}
            isChecked={actions.has(action)}
            onChange={(isChosen) =>
              setActions(
                new Set(
                  actionMethods
                    .map((one) => one.action)
                    .filter((one) => (one === action ? isChosen : actions.has(one))),
                ),
              )
            }
          />
        ))}
      </fieldset>
      <Select
        label={t("explain.rows")}
        value={rows}
        options={[
          { value: "all", label: t("explain.everyRow") },
          ...(exceeding > 0 || rows === "read"
            ? [{ value: "read" as const, label: t("alike.asRead") }]
            : []),
          { value: "own", label: t("bulk.ownRows") },
        ]}
        onChange={setRows}
      />
      {rows === "own" && (
        <p className="text-2 text-ink-2">
          {t("bulk.ownText")}
          {without.length > 0 && (
            <span className="mt-1 block wrap-anywhere" dir="auto">
              {t("bulk.withoutOwner", { names: namesOf(without) })}
            </span>
          )}
        </p>
      )}
      {rows === "all" && exceeding > 0 && (
        <Notice kind="info">{t("alike.exceeds", { count: exceeding })}</Notice>
      )}
      {replaced > 0 && <Notice kind="info">{t("bulk.replaces", { count: replaced })}</Notice>}
    </FormDialog>
  );
}

const namedMax = 8;

/** The first names of a list. */
function namesOf(resources: readonly ResourceEntry[]): string {
  const names = resources.slice(0, namedMax).map(resourceName).join(", ");
  return resources.length > namedMax ? `${names}, …` : names;
}
