import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { accessPath, grantPath } from "../../grants/model/access-paths.ts";
import { draftOf, type GrantDraft } from "../../grants/model/grant-draft.ts";
import { actionMethods, type Grant, isExposedFor } from "../../grants/model/grant-queries.ts";
import { useFilterResource } from "../../records/filter/use-filter-resource.ts";
import { useOwnWays, WaysProvider } from "../../records/values/ways.ts";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmDialog } from "../../shell/confirm-task.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { LockedFields, ManagedNotice, useManagedLock } from "../../shell/managed.tsx";
import { resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import { rolesQuery } from "../../shell/roles-query.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { ComboField } from "../../ui/combobox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { GrantForm } from "./grant-form.tsx";
import { type GrantSaving, useSaveGrant } from "./use-save-grant.ts";

const route = getRouteApi("/frame/admin/access/grants/$id");

/** A grant by its id, or under `new` one that is created. */
export function GrantPage() {
  const { id } = route.useParams();
  const { role = "", resource = "", action = "READ" } = route.useSearch();
  const words = useTranslations("manage");
  const isNew = id === "new";
  const grant = useQuery({
    queryKey: ["grants", id],
    enabled: !isNew,
    // What a person has typed must not change under them; a save compares with the present version.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/grants/{id}", { path: { id }, signal })).data,
  });
  if (isNew) {
    const empty: GrantDraft = {
      ...{ roleId: role, resourceId: resource, action },
      ...{ fields: null, rowFilter: null, check: null, presets: {} },
    };
    return <GrantView key={`new ${role} ${resource} ${action}`} grant={undefined} first={empty} />;
  }
  if (grant.data !== undefined) {
    return <GrantView key={id} grant={grant.data} first={draftOf(grant.data)} />;
  }
  return (
    <div className={pageClasses}>
      {grant.error === null ? (
        <Skeleton label={words("loading")} rows={6} />
      ) : (
        <FailureNotice error={grant.error} onRetry={() => void grant.refetch()} />
      )}
    </div>
  );
}

interface GrantViewProps {
  /** The stored grant; undefined for a new one. */
  readonly grant: Grant | undefined;
  readonly first: GrantDraft;
}

/** The page of a grant: who may do what, its terms, and its deletion. */
function GrantView({ grant, first }: GrantViewProps) {
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const ways = useOwnWays();
  const open = useOpen();
  const [base, setBase] = useState(grant === undefined ? null : first);
  const [draft, setDraft] = useState(first);
  const [isSaved, setSaved] = useState(false);
  const [created, setCreated] = useState<string>();
  const saving = useSaveGrant(grant?.id);
  const { data: roles } = useQuery(rolesQuery);
  const { data: resources } = useQuery(resourcesQuery);
  const role = roles?.find(({ id }) => id === draft.roleId);
  const lock = useManagedLock("roles", role === undefined ? [] : [role.name]);
  const resource = resources?.find(({ id }) => id === draft.resourceId);
  const { found, error, reload } = useFilterResource(resource?.id);
  const members = useMembers(draft.roleId);
  const isChosen = role !== undefined && resource !== undefined;
  const sentence = isChosen
    ? t("lost.grant", {
        role: role.name,
        action: draft.action,
        resource: resourceName(resource),
      })
    : t("grant.new");
  useTitle(sentence);
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(base ?? first);
  useLeaveGuard(isUnsaved && created === undefined, words("leave"));
  // The guard has seen by then that nothing is unsaved.
  useEffect(() => {
    if (created !== undefined) open(grantPath(created));
  }, [created, open]);
  const change = (next: Partial<GrantDraft>) => {
    setSaved(false);
    setDraft((last) => ({ ...last, ...next }));
  };
  return (
    <WaysProvider value={ways}>
      <div className={pageClasses}>
        <PageHead
          title={<span dir="auto">{sentence}</span>}
          trail={
            <>
              <AppLink href={accessPath} className={linkClasses}>
                {t("title")}
              </AppLink>
              <span aria-hidden="true"> / </span>
            </>
          }
          text={role === undefined ? t("grant.newText") : t("grant.text", { members })}
        >
          {grant !== undefined && (
            <DeleteGrant {...{ members, saving }} title={sentence} isLocked={lock.isLocked} />
          )}
        </PageHead>
        <ManagedNotice lock={lock} />
        {grant?.effective === false && (
          <Notice kind="danger">
            {t("grant.lost")}{" "}
            {grant.lost
              .map(({ part, name }) => t("lost.part", { part: t(`part.${part}`), name }))
              .join(", ")}
          </Notice>
        )}
        {isChosen && !isExposedFor(resource, draft.action) && (
          <Notice kind="info">{t("grant.shut")}</Notice>
        )}
        {isSaved && <Notice kind="ok">{words("saved")}</Notice>}
        {grant === undefined && (
          <GrantSubject draft={draft} faultAt={saving.faultAt} onChange={change} />
        )}
        {error !== null && <FailureNotice error={error} onRetry={reload} />}
        {isChosen && found === undefined && error === null && (
          <Skeleton label={words("loading")} rows={6} />
        )}
        {isChosen && found !== undefined && (
          <LockedFields isLocked={lock.isLocked}>
            <GrantForm
              key={`${draft.resourceId} ${draft.action}`}
              {...{ found, draft, base, saving }}
              onChange={change}
              onRebase={(present, next) => {
                setBase(present);
                setDraft(next);
              }}
              onSaved={(saved) => {
                if (grant === undefined) setCreated(saved.id);
                setBase(draftOf(saved));
                setDraft(draftOf(saved));
                setSaved(true);
              }}
            />
          </LockedFields>
        )}
      </div>
    </WaysProvider>
  );
}

const countedMax = 1000;

/** Says how many people a role has. */
function useMembers(roleId: string): string {
  const t = useTranslations("access");
  const { data } = useQuery({
    queryKey: ["roles", roleId, "members", "count"],
    enabled: roleId !== "",
    queryFn: async ({ signal }) => {
      const query = { limit: countedMax };
      const path = { id: roleId };
      const page = await client.admin.get("/roles/{id}/members", { path, query, signal });
      return { count: page.data.length, hasMore: page.meta.nextCursor !== null };
    },
  });
  if (data === undefined) return t("members.unknown");
  return data.hasMore
    ? t("members.more", { count: data.count })
    : t("members.count", { count: data.count });
}

/** Deletes a grant, after it has said what its role loses. */
function DeleteGrant(props: {
  /** The grant in a sentence. */
  readonly title: string;
  /** Who loses it. */
  readonly members: string;
  readonly saving: GrantSaving;
  readonly isLocked: boolean;
}) {
  const { title, members, saving, isLocked } = props;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const open = useOpen();
  const [isAsked, ask] = useState(false);
  return (
    <>
      <ToolButton kind="danger" disabled={isLocked} onClick={() => ask(true)}>
        {words("delete")}
      </ToolButton>
      {isAsked && (
        <ConfirmDialog
          title={t("delete.title")}
          confirm={words("delete")}
          cancel={words("cancel")}
          failure={saving.failure}
          isBusy={saving.isBusy}
          onClose={() => ask(false)}
          onConfirm={() => {
            void saving.remove().then((isDone) => {
              ask(false);
              if (isDone) open(accessPath);
            });
          }}
        >
          <p dir="auto">{title}</p>
          <p>{t("delete.text", { members })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface GrantSubjectProps {
  readonly draft: GrantDraft;
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (change: Partial<GrantDraft>) => void;
}

const shownMax = 60;

/** Who may do what with which resource: chosen once, when the grant is created. */
function GrantSubject({ draft, faultAt, onChange }: GrantSubjectProps) {
  const t = useTranslations("access");
  const { data: roles = [] } = useQuery(rolesQuery);
  const { data: resources = [] } = useQuery(resourcesQuery);
  return (
    <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] sm:items-start">
      <Finder
        label={t("grant.role")}
        fault={faultAt("/data/roleId")}
        chosen={draft.roleId}
        items={roles
          .filter(({ isAdministrators }) => !isAdministrators)
          .map(({ id, name }) => ({ id, label: name }))}
        onChoose={(roleId) => onChange({ roleId })}
      />
      <div className="grid gap-1.5 sm:pt-7">
        <Select
          label={t("grant.action")}
          value={draft.action}
          options={actionMethods.map(({ action }) => ({
            value: action,
            label: t(`action.${action}`),
          }))}
          onChange={(action) => onChange({ action })}
        />
        {faultAt("/data/action") !== undefined && (
          <p className="max-w-60 text-2 text-danger">{faultAt("/data/action")}</p>
        )}
      </div>
      <Finder
        label={t("grant.resource")}
        fault={faultAt("/data/resourceId")}
        chosen={draft.resourceId}
        items={resources.map((one) => ({ id: one.id, label: resourceName(one) }))}
        onChoose={(resourceId) =>
          // Terms name columns of the resource.
          onChange({ resourceId, fields: null, rowFilter: null, check: null, presets: {} })
        }
      />
    </div>
  );
}

/** A choice of one of many by a part of its name. */
function Finder(props: {
  readonly label: string;
  readonly fault: string | undefined;
  readonly chosen: string;
  readonly items: readonly { readonly id: string; readonly label: string }[];
  readonly onChoose: (id: string) => void;
}) {
  const { label, fault, chosen, items, onChoose } = props;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const [typed, setTyped] = useState<string>();
  const wanted = (typed ?? "").toLowerCase();
  const found = items.filter((item) => item.label.toLowerCase().includes(wanted));
  const present = items.find(({ id }) => id === chosen)?.label ?? "";
  return (
    <ComboField
      label={label}
      fault={fault}
      shown={present}
      chosen={chosen}
      typed={typed}
      onType={setTyped}
      options={found.slice(0, shownMax)}
      onChoose={onChoose}
      message={found.length === 0 ? words("nothingFound") : undefined}
      placeholder={t("grant.choose")}
    />
  );
}
