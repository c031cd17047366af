import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { HomeEntry } from "../shell/home-entries.ts";
import { SidebarGroup } from "./sidebar-group.tsx";
import { SidebarLink } from "./sidebar-link.tsx";

/** More are shown on request. */
const shownFirst = 30;

interface ReadingGroupProps {
  readonly title: string;
  readonly entries: readonly HomeEntry[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The dashboards or DataViews of the person, under a heading that folds them away. */
export function ReadingGroup({ title, entries, isOpen, onToggle }: ReadingGroupProps) {
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
