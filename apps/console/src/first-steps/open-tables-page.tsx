import { wordsOfName } from "@rowhouse/access/written-name";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { type ResourceEntry, resourceName, resourcesQuery } from "../shell/resource-queries.ts";
import { useLeaveGuard } from "../shell/use-leave-guard.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { inputClasses } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RoleFields } from "./role-fields.tsx";
import { TitleChoice, useTitleSamples } from "./title-choice.tsx";
import { type Access, type RoleDraft, useOpenTables } from "./use-open-tables.ts";

/** Opens hidden tables and views in one step: exposes them, labels them, and grants them to a role. */
export function OpenTablesPage() {
  const t = useTranslations("openTables");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(resourcesQuery);
  useTitle(t("title"));
  const hidden = data?.filter(
    ({ schema, exposedMethods }) => schema !== "system" && exposedMethods.length === 0,
  );
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")} />
      {error !== null && data === undefined && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {hidden !== undefined && <OpenTablesForm hidden={hidden} />}
    </div>
  );
}

function OpenTablesForm({ hidden }: { readonly hidden: readonly ResourceEntry[] }) {
  const t = useTranslations("openTables");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(new Map());
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const samples = useTitleSamples(hidden.map(({ id }) => id));
  const [access, setAccess] = useState<Access>("READ");
  const [role, setRole] = useState<RoleDraft>({ kind: "NEW", name: t("roleName") });
  const { task, opened } = useOpenTables();
  useLeaveGuard(labels.size + titles.size > 0 && opened === undefined, t("leave"));
  const chosen = hidden.filter(({ id }) => !left.has(id));
  if (opened !== undefined && hidden.length === 0) return <Opened {...opened} />;
  if (hidden.length === 0) {
    return (
      <EmptyState title={t("nothing")}>
        <AppLink href="/app" className={linkClasses}>
          {t("home")}
        </AppLink>
      </EmptyState>
    );
  }
  const labelOf = (one: ResourceEntry) => labels.get(one.id) ?? one.label ?? wordsOfName(one.name);
  const toggle = (id: string) =>
    setLeft((last) => {
      const next = new Set(last);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const open = () =>
    task.start({
      tables: chosen.map((one) => {
        const title = titles.get(one.id);
        const isProposed = title === samples.get(one.id)?.choices[0]?.template;
        const label = labelOf(one).trim();
        return { resource: one, label, title: isProposed ? undefined : title };
      }),
      access,
      role,
    });
  return (
    <form
      noValidate
      className="grid gap-5 **:scroll-mb-24"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      {opened !== undefined && <Opened {...opened} />}
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="mb-1.5 font-medium">{t("access")}</legend>
        {(["READ", "WRITE"] as const).map((one) => (
          <label key={one} className="flex min-h-6 items-center gap-2">
            <input
              type="radio"
              name="access"
              checked={access === one}
              onChange={() => setAccess(one)}
              className="size-4 accent-accent"
            />
            {t(`accesses.${one}`)}
          </label>
        ))}
      </fieldset>
      <RoleFields role={role} onChange={setRole} fault={task.roleFault} />
      <div className="overflow-hidden rounded-panel border border-line bg-surface">
        <div className="grid grid-cols-1 items-center gap-x-3 border-line border-b px-3 font-medium text-2 text-ink-2 sm:grid-cols-[1rem_minmax(0,1fr)_minmax(0,1fr)]">
          <label className="flex min-h-9 items-center gap-3 sm:col-span-2">
            <input
              type="checkbox"
              checked={left.size === 0}
              ref={(box) => {
                if (box !== null) box.indeterminate = chosen.length > 0 && left.size > 0;
              }}
              onChange={() =>
                setLeft(left.size === 0 ? new Set(hidden.map(({ id }) => id)) : new Set())
              }
              className="size-4 accent-accent"
            />
            {t("chosen", { count: chosen.length, all: hidden.length })}
          </label>
          <span aria-hidden="true" className="max-sm:hidden">
            {t("label")}
          </span>
        </div>
        <ul aria-label={t("tables")}>
          {hidden.map((one) => {
            const sample = left.has(one.id) ? undefined : samples.get(one.id);
            return (
              <li
                key={one.id}
                className="grid grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-[1rem_minmax(0,1fr)_minmax(0,1fr)]"
              >
                <input
                  type="checkbox"
                  aria-label={resourceName(one)}
                  checked={!left.has(one.id)}
                  onChange={() => toggle(one.id)}
                  className="size-4 accent-accent"
                />
                <span className="flex min-w-0 items-baseline gap-2" title={resourceName(one)}>
                  <bdi className="truncate font-mono text-2">{resourceName(one)}</bdi>
                  {one.kind === "VIEW" && <span className="text-2 text-ink-2">{t("view")}</span>}
                </span>
                <input
                  type="text"
                  aria-label={t("labelOf", { name: resourceName(one) })}
                  value={labelOf(one)}
                  dir="auto"
                  autoComplete="off"
                  disabled={left.has(one.id)}
                  onChange={({ target }) =>
                    setLabels((last) => new Map(last).set(one.id, target.value))
                  }
                  className={`${inputClasses} max-sm:col-start-2`}
                />
                {sample !== undefined && (
                  <div className="col-start-2 min-w-0 pb-0.5 sm:col-end-4">
                    <TitleChoice
                      samples={sample}
                      template={titles.get(one.id)}
                      onChange={(template) =>
                        setTitles((last) => new Map(last).set(one.id, template))
                      }
                    />
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 border-line border-t bg-canvas py-3">
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {t("open", { count: chosen.length })}
        </Button>
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      </div>
    </form>
  );
}

/** What was opened, and the ways on. */
function Opened({ count, roleId }: { readonly count: number; readonly roleId: string | null }) {
  const t = useTranslations("openTables");
  return (
    <Notice kind="ok">
      <p>{t("opened", { count })}</p>
      <p className="flex flex-wrap gap-x-4">
        <AppLink href="/app" className={linkClasses}>
          {t("home")}
        </AppLink>
        {roleId !== null && (
          <AppLink href={`/admin/people/roles/${roleId}`} className={linkClasses}>
            {t("invite")}
          </AppLink>
        )}
        <AppLink href="/admin/dashboards/new" className={linkClasses}>
          {t("dashboard")}
        </AppLink>
      </p>
    </Notice>
  );
}
