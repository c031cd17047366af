import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { type ManagedLock, type ManagedRecord, useManagedQuestion } from "../../shell/managed.tsx";
import { type ResourceEntry, resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { actionMethods, type Grant, grantsQuery, type Role } from "../model/grant-queries.ts";
import { type MatrixSearch, resourcesOf, rolesOf } from "../model/matrix-search.ts";
import { useGrantFailure, useSettingTask } from "../model/setting-task.ts";
import { type ExposureChanges, useExposure } from "../model/use-exposure.ts";
import { type GrantChanges, useGrantChanges } from "../model/use-grant-changes.ts";
import { indexGrants } from "./cell-mark.tsx";
import { MatrixMenu, type MenuTarget } from "./cell-menu.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { GrantDialog } from "./grant-dialog.tsx";
import { MatrixGrid } from "./matrix-grid.tsx";
import { type CellPosition, headIndex, ownGroups, placeOf } from "./matrix-layout.ts";
import { HiddenFold, Legend, LostGrants, MatrixFilters } from "./matrix-parts.tsx";
import { SelectionBar, useSelection } from "./selection-bar.tsx";

interface GrantMatrixProps {
  readonly label: string;
  readonly search: MatrixSearch;
  readonly onSearch: (change: MatrixSearch) => void;
  /** The only role, on its own page; the filter then has no choice of roles. */
  readonly roleId?: string;
  /** Of this role. */
  readonly lock?: ManagedLock;
}

/** Who may do what: the exposure of each resource, and the grant of each role for each action. */
export function GrantMatrix({ roleId, ...props }: GrantMatrixProps) {
  const words = useTranslations("manage");
  const search = roleId === undefined ? props.search : { ...props.search, role: roleId };
  const all = {
    resources: useQuery(resourcesQuery),
    roles: useQuery(rolesQuery),
    grants: useQuery(grantsQuery),
  };
  const failed = Object.values(all).find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) {
    return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const [resources, roles, grants] = [all.resources.data, all.roles.data, all.grants.data];
  if (resources === undefined || roles === undefined || grants === undefined) {
    return <Skeleton label={words("loading")} rows={8} />;
  }
  return (
    <>
      <MatrixFilters
        {...{ search, resources, roles }}
        onChange={props.onSearch}
        isOfRole={roleId !== undefined}
      />
      <LostGrants
        grants={grants.filter((one) => roleId === undefined || one.roleId === roleId)}
        {...{ resources, roles }}
      />
      <LoadedMatrix {...props} {...{ search, resources, roles, grants }} />
    </>
  );
}

interface LoadedProps extends GrantMatrixProps {
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly grants: readonly Grant[];
}

/** What is open over the matrix. */
type Opened =
  | { readonly kind: "MENU"; readonly target: MenuTarget; readonly anchor: Element }
  | { readonly kind: "GRANT" }
  | { readonly kind: "COPY"; readonly grant: Grant | undefined }
  | { readonly kind: "REVOKE"; readonly grants: readonly Grant[] };

function LoadedMatrix({ label, search, onSearch, lock, ...all }: LoadedProps) {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const { ask, question } = useManagedQuestion(lock);
  const exposure = askingExposure(useExposure(), ask);
  const changes = askingGrants(useGrantChanges(), ask, all);
  const [opened, open] = useState<Opened>();
  const close = () => open(undefined);
  const found = useMemo(() => resourcesOf(all.resources, search), [all.resources, search]);
  const roles = useMemo(() => rolesOf(all.roles, search), [all.roles, search]);
  const grants = useMemo(() => indexGrants(all.grants), [all.grants]);
  const { shown, hidden, keepPlace } = useFold(found);
  const isOpen =
    search.hidden === undefined
      ? shown.length === 0 || search.search !== undefined
      : search.hidden === "open";
  const rows = useMemo(
    () => (isOpen ? [...shown, ...hidden] : shown).map((one) => withMethods(one, exposure)),
    [isOpen, shown, hidden, exposure],
  );
  const selection = useSelection(rows);
  const pending = useMemo(
    () => new Set([...exposure.pending.keys(), ...changes.pending]),
    [exposure.pending, changes.pending],
  );
  useLeaveGuard(pending.size > 0, t("bulk.leave"));
  const targetAt = ({ row, column }: CellPosition): MenuTarget | undefined => {
    const { group, slot } = placeOf(column);
    const pair = actionMethods[slot];
    const resource = row === headIndex ? null : rows[row];
    if (pair === undefined || resource === undefined) return undefined;
    const role = roles[group - ownGroups];
    if (role === undefined) return { kind: "METHOD", method: pair.method, resource };
    return { kind: "GRANT", action: pair.action, role, resource };
  };
  const openMenu = (position: CellPosition, anchor: Element) => {
    const target = targetAt(position);
    if (target !== undefined) open({ kind: "MENU", target, anchor });
  };
  const activate = (position: CellPosition, cell: Element) => {
    const target = targetAt(position);
    if (target?.kind === "METHOD" && target.resource !== null) {
      keepPlace(target.resource);
      exposure.toggle(target.resource, target.method);
    } else openMenu(position, cell);
  };
  if (found.length === 0) {
    return (
      <EmptyState title={all.resources.length === 0 ? t("matrix.empty") : words("nothingFound")} />
    );
  }
  return (
    <>
      <Failures exposure={exposure} changes={changes} />
      <div className="overflow-hidden rounded-panel border border-line">
        {rows.length > 0 && (
          <MatrixGrid
            {...{ label, roles, grants, pending }}
            resources={rows}
            selected={selection.ids}
            onActivate={activate}
            onMenu={openMenu}
            onSelect={selection.select}
          />
        )}
        {hidden.length > 0 && (
          <HiddenFold
            {...{ hidden, isOpen, exposure }}
            onToggle={() => onSearch({ hidden: isOpen ? "folded" : "open" })}
          />
        )}
      </div>
      {selection.selected.length > 0 && (
        <SelectionBar
          selected={selection.selected}
          exposure={exposure}
          onGrant={roles.length === 0 ? null : () => open({ kind: "GRANT" })}
          onCopy={roles.length === 0 ? null : () => open({ kind: "COPY", grant: undefined })}
          onClear={selection.clear}
        />
      )}
      {rows.length > 0 && <Legend />}
      {opened?.kind === "MENU" && (
        <MatrixMenu
          {...{ grants, exposure }}
          target={opened.target}
          anchor={opened.anchor}
          resources={rows}
          onSet={(settings) => void changes.set(settings)}
          onCopy={(grant) => open({ kind: "COPY", grant })}
          onRevoke={(revoked) => open({ kind: "REVOKE", grants: revoked })}
          onClose={() => open((now) => (now?.kind === "MENU" ? undefined : now))}
        />
      )}
      {opened?.kind === "GRANT" && (
        <GrantDialog
          {...{ roles, grants, changes }}
          resources={selection.selected}
          onClose={close}
        />
      )}
      {opened?.kind === "COPY" && (
        <CopyDialog
          {...{ grants, changes }}
          grant={opened.grant}
          roles={rolesOf(all.roles, {})}
          resources={opened.grant === undefined ? selection.selected : found}
          onClose={close}
        />
      )}
      {opened?.kind === "REVOKE" && (
        <RevokeDialog grants={opened.grants} changes={changes} onClose={close} />
      )}
      {question}
    </>
  );
}

type Ask = ReturnType<typeof useManagedQuestion>["ask"];

/** Changes of the exposure, which is part of the documents of tables and views. */
function askingExposure(exposure: ExposureChanges, ask: Ask): ExposureChanges {
  const recordOf = ({ kind, schema, name }: ResourceEntry): ManagedRecord => ({
    part: kind === "TABLE" ? "tables" : "views",
    names: [schema, name],
  });
  return {
    ...exposure,
    toggle: (resource, method) =>
      ask([recordOf(resource)], () => exposure.toggle(resource, method)),
    set: (resources, methods) =>
      ask(resources.map(recordOf), () => exposure.set(resources, methods)),
  };
}

/** Changes of grants, which are part of the documents of roles. */
function askingGrants(
  changes: GrantChanges,
  ask: Ask,
  { roles }: { readonly roles: readonly Role[] },
): GrantChanges {
  return {
    ...changes,
    set: (settings) => {
      const ids = new Set(settings.map(({ roleId }) => roleId));
      const records = roles.flatMap(({ id, name }): ManagedRecord[] =>
        ids.has(id) ? [{ part: "roles", names: [name] }] : [],
      );
      return new Promise((resolve) =>
        ask(
          records,
          () => resolve(changes.set(settings)),
          () => resolve(false),
        ),
      );
    },
  };
}

/** A resource with its methods as they are after the changes that are not yet stored. */
function withMethods(
  resource: ResourceEntry,
  { pending, methodsOf }: ExposureChanges,
): ResourceEntry {
  const isChanging = [...pending.values()].some(({ id }) => id === resource.id);
  return isChanging ? { ...resource, exposedMethods: methodsOf(resource) } : resource;
}

/**
 * Divides resources into those that something exposes, and those that nothing does. A row whose method a person sets stays
 * where it is, so that it does not leave the pointer.
 */
function useFold(resources: readonly ResourceEntry[]) {
  const [kept, keep] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { shown, hidden } = useMemo(() => {
    const isHidden = ({ id, exposedMethods }: ResourceEntry) =>
      kept.get(id) ?? exposedMethods.length === 0;
    return {
      shown: resources.filter((one) => !isHidden(one)),
      hidden: resources.filter(isHidden),
    };
  }, [resources, kept]);
  return {
    ...{ shown, hidden },
    keepPlace: ({ id }: ResourceEntry) =>
      keep((last) =>
        new Map(last).set(
          id,
          hidden.some((one) => one.id === id),
        ),
      ),
  };
}

/** What could not be stored, and is put back. */
function Failures(props: { readonly exposure: ExposureChanges; readonly changes: GrantChanges }) {
  const t = useTranslations("access");
  const describe = useFailureText();
  const failure = useGrantFailure(props.changes);
  const exposed = props.exposure.failure;
  return (
    <>
      {exposed !== undefined && (
        <Notice kind="danger">
          {t("bulk.putBack", { count: exposed.count, reason: describe(exposed.error) })}
        </Notice>
      )}
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
    </>
  );
}

/** Revokes grants by one request, after a question. */
function RevokeDialog(props: {
  readonly grants: readonly Grant[];
  readonly changes: GrantChanges;
  readonly onClose: () => void;
}) {
  const t = useTranslations("access");
  const { grants, changes, onClose } = props;
  const settings = grants.map(({ roleId, resourceId, action }) => ({
    ...{ roleId, resourceId, action },
    revoked: true,
  }));
  const task = useSettingTask(changes, settings, onClose);
  return (
    <ConfirmTask
      title={t("bulk.revokeTitle", { count: grants.length })}
      confirm={t("menu.revoke")}
      task={task}
      onClose={onClose}
    >
      {t("bulk.revokeText")}
    </ConfirmTask>
  );
}
