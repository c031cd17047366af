import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { filesResource } from "../records/library/file-record.ts";
import { homeEntries } from "../shell/home-entries.ts";
import { type NavigationResource, navigationQuery, personQuery } from "../shell/navigation.ts";
import { changePreferences, currentPreferences, usePreferences } from "../shell/preferences.ts";
import { BookOpen, Files, House, ShieldCheck, Users } from "../ui/icons.generated.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { groupBySchema } from "./find-resources.ts";
import { ReadingGroup } from "./reading-group.tsx";
import { SchemaGroup } from "./schema-group.tsx";
import { SidebarLink } from "./sidebar-link.tsx";

/** More tables than this have a field to find one. */
const withoutFilter = 15;

const readingKinds = [
  { kind: "dashboard", title: "dashboards" },
  { kind: "dataView", title: "dataViews" },
] as const;

/** The navigation: pages, dashboards, DataViews, and the tables and views that the person may open by schema. */
export function Sidebar() {
  const t = useTranslations("workspace");
  const words = useTranslations("administration");
  const [text, setText] = useState("");
  const { data: person } = useQuery(personQuery);
  const { data } = useQuery(navigationQuery);
  const { pathname } = useLocation();
  const { closedSchemas, closedGroups } = usePreferences();
  const resources = data?.resources ?? [];
  const groups = useMemo(() => groupBySchema(data?.resources ?? [], text), [data, text]);
  const readings = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const all = data === undefined ? [] : homeEntries(data);
    return all.filter(({ name }) => name.toLowerCase().includes(wanted));
  }, [data, text]);
  const toggle = useCallback((schema: string) => {
    const { closedSchemas: closed } = currentPreferences();
    const others = closed.filter((one) => one !== schema);
    changePreferences({
      closedSchemas: others.length < closed.length ? others : [...closed, schema],
    });
  }, []);
  return (
    <nav aria-label={t("navigation")} className="grid content-start gap-3">
      <div className="grid gap-px">
        <SidebarLink href="/app" icon={House} label={t("home")} isHere={pathname === "/app"} />
        {filesResource(data) !== undefined && (
          <SidebarLink
            href="/app/files"
            icon={Files}
            label={t("files")}
            isHere={pathname === "/app/files"}
          />
        )}
        {person?.isAdministrator === false && resources.some(isUsers) && (
          <SidebarLink
            href="/app/people"
            icon={Users}
            label={t("people")}
            isHere={pathname.startsWith("/app/people")}
          />
        )}
        {person?.isAdministrator === true && (
          <SidebarLink href="/admin" icon={ShieldCheck} label={words("title")} />
        )}
        {person?.isAdministrator === true && (
          <SidebarLink href="/admin/reference" icon={BookOpen} label={t("reference")} />
        )}
      </div>
      {resources.length > withoutFilter && (
        <input
          type="search"
          aria-label={t("findTable")}
          placeholder={t("findTable")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0"
        />
      )}
      {data === undefined && <Skeleton label={t("loading")} rows={5} />}
      {readingKinds.map(({ kind, title }) => (
        <ReadingGroup
          key={kind}
          title={t(title)}
          entries={readings.filter((entry) => entry.kind === kind)}
          isOpen={text !== "" || !closedGroups.includes(kind)}
          onToggle={() =>
            changePreferences({
              closedGroups: closedGroups.includes(kind)
                ? closedGroups.filter((one) => one !== kind)
                : [...closedGroups, kind],
            })
          }
        />
      ))}
      {[...groups].map(([schema, own]) => (
        <SchemaGroup
          key={schema}
          schema={schema}
          resources={own}
          isOpen={text !== "" || !closedSchemas.includes(schema)}
          onToggle={toggle}
          here={hereIn(pathname, schema)}
        />
      ))}
      {text !== "" && groups.size === 0 && readings.every(({ kind }) => kind === "resource") && (
        <p className="px-2 text-ink-2">{t("noTable")}</p>
      )}
    </nav>
  );
}

/** Whether a resource is the table of accounts, and its rows may be read. */
function isUsers({ schema, name, actions }: NavigationResource): boolean {
  return schema === "system" && name === "users" && actions.includes("READ");
}

/** Returns the address of the open page in the form of `resourcePath`, if it is of the schema. */
function hereIn(pathname: string, schema: string): string | undefined {
  const [, , , own, kind, name] = pathname.split("/").map(decoded);
  if (own !== schema || kind === undefined || name === undefined) return undefined;
  return `/app/data/${encodeURIComponent(own)}/${kind}/${encodeURIComponent(name)}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
