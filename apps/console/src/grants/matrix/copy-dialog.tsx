import { useState } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { draftOf, settingOf, termsFor } from "../model/grant-draft.ts";
import {
  type Action,
  actionMethods,
  type Grant,
  grantKey,
  type Role,
} from "../model/grant-queries.ts";
import { useSettingTask } from "../model/setting-task.ts";
import type { GrantChanges, SetGrant } from "../model/use-grant-changes.ts";
import type { GrantIndex } from "./cell-mark.tsx";

interface CopyDialogProps {
  /** The grant of one cell; without one, the grants of a role on the resources are copied. */
  readonly grant: Grant | undefined;
  /** The resources that the copies may belong to. */
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly grants: GrantIndex;
  readonly changes: GrantChanges;
  readonly onClose: () => void;
}

const chooseMax = 200;

/** Copies the terms of grants to other actions, tables or roles. */
export function CopyDialog(props: CopyDialogProps) {
  const { grant, resources, roles, grants, changes, onClose } = props;
  const t = useTranslations("access");
  const [from, setFrom] = useState(grant?.roleId ?? roles[0]?.id ?? "");
  const [to, setTo] = useState(grant?.roleId ?? roles[1]?.id ?? roles[0]?.id ?? "");
  // For the grants of a role, none means that each keeps its action.
  const [actions, setActions] = useState<ReadonlySet<Action>>(
    new Set(grant === undefined ? [] : [grant.action]),
  );
  const [tables, setTables] = useState<ReadonlySet<string>>(
    new Set(grant === undefined ? [] : [grant.resourceId]),
  );
  const sources =
    grant !== undefined
      ? [grant]
      : resources.flatMap(({ id }) =>
          actionMethods.flatMap(({ action }) => grants.get(grantKey(id, from, action)) ?? []),
        );
  const settings = copiesOf({ sources, to, actions, resources, grant, tables });
  const replaced = settings.filter((one) =>
    grants.has(grantKey(one.resourceId, one.roleId, one.action)),
  ).length;
  const task = useSettingTask(changes, settings, onClose);
  const roleOptions = roles.map(({ id, name }) => ({ value: id, label: name, isName: true }));
  return (
    <FormDialog
      title={t(grant === undefined ? "bulk.copyRoleTitle" : "bulk.copyTitle", {
        count: resources.length,
      })}
      task={task}
      submit={t("bulk.copySubmit", { count: settings.length })}
      isReady={settings.length > 0}
      onClose={onClose}
    >
      {grant === undefined && (
        <Select label={t("bulk.from")} value={from} options={roleOptions} onChange={setFrom} />
      )}
      <Select label={t("bulk.to")} value={to} options={roleOptions} onChange={setTo} />
      <fieldset className="grid gap-0.5 sm:grid-cols-2">
        <legend className="mb-1 font-medium">{t("bulk.copyActions")}</legend>
        {actionMethods.map(({ action }) => (
          <Checkbox
            key={action}
            label={t(`menu.what.${action}`)}
            isChecked={actions.has(action)}
            onChange={(isChosen) => setActions(changed(actions, action, isChosen))}
          />
        ))}
      </fieldset>
      {grant === undefined ? (
        <p className="text-2 text-ink-2">{t("bulk.sameActions", { count: sources.length })}</p>
      ) : (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">{t("bulk.copyTables")}</legend>
          <Checkbox
            label={t("bulk.allShown")}
            isChecked={resources.every(({ id }) => tables.has(id))}
            onChange={(isAll) => setTables(new Set(isAll ? resources.map(({ id }) => id) : []))}
          />
          <ul className="grid max-h-52 gap-x-4 overflow-auto rounded-control border border-line px-3 py-2 sm:grid-cols-2">
            {resources.slice(0, chooseMax).map((one) => (
              <li key={one.id} dir="auto" className="min-w-0 truncate" title={resourceName(one)}>
                <Checkbox
                  label={resourceName(one)}
                  isChecked={tables.has(one.id)}
                  onChange={(isChosen) => setTables(changed(tables, one.id, isChosen))}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {replaced > 0 && <Notice kind="info">{t("bulk.replaces", { count: replaced })}</Notice>}
    </FormDialog>
  );
}

/** Returns a set with or without a member. */
function changed<Member>(all: ReadonlySet<Member>, one: Member, isIn: boolean) {
  const others = [...all].filter((other) => other !== one);
  return new Set(isIn ? [...others, one] : others);
}

interface Copies {
  readonly sources: readonly Grant[];
  /** Id of the role that has the copies. */
  readonly to: string;
  readonly actions: ReadonlySet<Action>;
  readonly resources: readonly ResourceEntry[];
  readonly grant: Grant | undefined;
  readonly tables: ReadonlySet<string>;
}

/** The copies of grants, each once, without the grants themselves. */
function copiesOf({ sources, to, actions, resources, grant, tables }: Copies): SetGrant[] {
  const copies = new Map<string, SetGrant>();
  for (const source of sources) {
    const draft = draftOf(source);
    const targets = resources.filter(({ id }) =>
      grant === undefined ? id === source.resourceId : tables.has(id),
    );
    const wanted = grant === undefined && actions.size === 0 ? [source.action] : [...actions];
    for (const { id: resourceId, kind } of targets) {
      for (const action of wanted) {
        const isItself =
          resourceId === source.resourceId && to === source.roleId && action === source.action;
        if (isItself || (kind === "VIEW" && action !== "READ")) continue;
        const terms = termsFor(action, draft);
        copies.set(
          grantKey(resourceId, to, action),
          settingOf({ roleId: to, resourceId, action, ...terms }),
        );
      }
    }
  }
  return [...copies.values()];
}
