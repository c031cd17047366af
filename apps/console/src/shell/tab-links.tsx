import { useLocation } from "@tanstack/react-router";
import { classes } from "../ui/classes.ts";
import { AppLink } from "./app-link.tsx";

interface Tab {
  readonly href: string;
  readonly label: string;
  /** Beside the label, such as a count. */
  readonly detail?: string | undefined;
}

/** Tabs that are links. A tab with a query in its address is open if the page has these parameters, among others. */
export function TabLinks({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}) {
  const { pathname, searchStr } = useLocation();
  const matching = tabs.filter(({ href }) => isWithin(href, pathname, searchStr));
  const here = matching.find(({ href }) => href.includes("?")) ?? matching[0];
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-1 border-line border-b">
      {tabs.map((tab) => (
        <AppLink
          key={tab.href}
          href={tab.href}
          aria-current={tab === here ? "page" : undefined}
          className={classes(
            "-mb-px flex h-9 items-center gap-1.5 border-b-2 px-2.5 font-medium",
            tab === here
              ? "border-accent text-ink"
              : "border-transparent text-ink-2 hover:text-ink",
          )}
        >
          {tab.label}
          {tab.detail !== undefined && (
            <span className="text-ink-2 tabular-nums">{tab.detail}</span>
          )}
        </AppLink>
      ))}
    </nav>
  );
}

/** Whether an address has the path and the parameters of a tab. */
function isWithin(href: string, pathname: string, search: string): boolean {
  const [path, query] = href.split("?");
  const present = new URLSearchParams(search);
  return (
    path === pathname &&
    [...new URLSearchParams(query)].every(([name, value]) => present.get(name) === value)
  );
}
