import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { memo, type ReactNode, useCallback, useId, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { filesResource } from "../records/library/file-record.ts";
import { type HomeEntry, homeEntries } from "../shell/home-entries.ts";
import {
  type NavigationResource,
  navigationQuery,
  personQuery,
  resourcePath,
} from "../shell/navigation.ts";
import { changePreferences, currentPreferences, usePreferences } from "../shell/preferences.ts";
import { classes } from "../ui/classes.ts";
import {
  BookOpen,
  ChevronRight,
  Files,
  House,
  ShieldCheck,
  Table2,
  TableProperties,
  Users,
} from "../ui/icons.generated.ts";
import { Skeleton } from "../ui/skeleton.tsx";
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
        {(filesResource(data) !== undefined || person?.isAdministrator === true) && (
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

/** Returns the tables and views by schema, those whose label, name or schema contains the text. */
function groupBySchema(
  resources: readonly NavigationResource[],
  text: string,
): ReadonlyMap<string, readonly NavigationResource[]> {
  const wanted = text.trim().toLowerCase();
  const groups = new Map<string, NavigationResource[]>();
  for (const resource of resources) {
    const { schema, name, label } = resource;
    const isWanted = [label ?? "", name, schema].some((one) => one.toLowerCase().includes(wanted));
    if (!isWanted) continue;
    const group = groups.get(schema);
    if (group === undefined) groups.set(schema, [resource]);
    else group.push(resource);
  }
  return groups;
}

interface SchemaGroupProps {
  readonly schema: string;
  readonly resources: readonly NavigationResource[];
  readonly isOpen: boolean;
  readonly onToggle: (schema: string) => void;
  /** The address of the open page, if one of these tables is open. */
  readonly here: string | undefined;
}

/** The tables and views of a schema, under a heading that folds them away. */
const SchemaGroup = memo(function SchemaGroup(props: SchemaGroupProps) {
  const { schema, resources, isOpen, onToggle, here } = props;
  return (
    <SidebarGroup title={schema} isOpen={isOpen} onToggle={() => onToggle(schema)}>
      {resources.map((resource) => {
        const href = resourcePath(resource);
        return (
          <li key={resource.id} className="min-w-0">
            <SidebarLink
              href={href}
              icon={resource.kind === "VIEW" ? TableProperties : Table2}
              label={resource.label ?? resource.name}
              isHere={href === here}
              isName
            />
          </li>
        );
      })}
    </SidebarGroup>
  );
});

/** More are shown on request. */
const shownFirst = 30;

interface ReadingGroupProps {
  readonly title: string;
  readonly entries: readonly HomeEntry[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The dashboards or DataViews of the person, under a heading that folds them away. */
function ReadingGroup({ title, entries, isOpen, onToggle }: ReadingGroupProps) {
  const t = useTranslations("workspace");
  const { pathname } = useLocation();
  const [showsAll, showAll] = useState(false);
  if (entries.length === 0) return null;
  const shown = showsAll ? entries : entries.slice(0, shownFirst);
  return (
    <SidebarGroup title={title} isOpen={isOpen} onToggle={onToggle}>
      {shown.map(({ id, name, icon, href }) => (
        <li key={id} className="min-w-0">
          <SidebarLink href={href} icon={icon} label={name} isHere={href === pathname} isName />
        </li>
      ))}
      {shown.length < entries.length && (
        <li>
          <button
            type="button"
            onClick={() => showAll(true)}
            className="h-7 rounded-control px-2 text-ink-2 hover:text-ink"
          >
            {t("showAll", { count: entries.length })}
          </button>
        </li>
      )}
    </SidebarGroup>
  );
}

interface SidebarGroupProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The entries, as items of a list. */
  readonly children: ReactNode;
}

/** Entries of the sidebar under a heading that folds them away. */
function SidebarGroup({ title, isOpen, onToggle, children }: SidebarGroupProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <h2>
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex h-7 w-full min-w-0 items-center gap-1 rounded-control px-2 text-left text-2 text-ink-2 hover:text-ink focus-visible:outline-offset-[-2px]"
        >
          <span className="truncate" dir="auto" title={title}>
            {title}
          </span>
          <ChevronRight
            size={12}
            aria-hidden="true"
            className={classes("shrink-0 transition-transform duration-100", isOpen && "rotate-90")}
          />
        </button>
      </h2>
      {isOpen && (
        <ul aria-labelledby={id} className="grid gap-px">
          {children}
        </ul>
      )}
    </div>
  );
}
