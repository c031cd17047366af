import { memo } from "react";
import { AppLink } from "../shell/app-link.tsx";
import { classes } from "../ui/classes.ts";
import type { IconComponent } from "../ui/create-icon.ts";

interface SidebarLinkProps {
  readonly href: string;
  readonly icon: IconComponent;
  readonly label: string;
  readonly isHere?: boolean;
  /** Whether the label is a name of the person's data, of any language. */
  readonly isName?: boolean;
}

/** An entry of the sidebar. It renders again only if it changes, since there may be thousands. */
export const SidebarLink = memo(function SidebarLink(props: SidebarLinkProps) {
  const { href, icon: Icon, label, isHere = false, isName = false } = props;
  return (
    <AppLink
      href={href}
      aria-current={isHere ? "page" : undefined}
      title={isName ? label : undefined}
      className={classes(
        "flex h-7 min-w-0 items-center gap-2.5 rounded-control px-2 focus-visible:outline-offset-[-2px]",
        isHere
          ? "bg-accent-soft font-medium text-ink"
          : "text-ink-2 hover:bg-sunken hover:text-ink",
      )}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      <span className="truncate" dir={isName ? "auto" : undefined}>
        {label}
      </span>
    </AppLink>
  );
});
