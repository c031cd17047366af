import { Link, useLocation } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { classes } from "../ui/classes.ts";

interface NavigationLinkProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** Whether it leads out of this application, to a page that the service serves by itself. */
  readonly isExternal?: boolean;
}

/** An entry of the navigation. */
export function NavigationLink({ to, icon: Icon, label, isExternal = false }: NavigationLinkProps) {
  const isHere = useLocation().pathname === to;
  const look = classes(
    "flex h-7 min-w-0 items-center gap-2.5 rounded-control px-2",
    isHere ? "bg-accent-soft font-medium text-ink" : "text-ink-2 hover:bg-sunken hover:text-ink",
  );
  const content = (
    <>
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      <span className="truncate">{label}</span>
    </>
  );
  if (isExternal) {
    return (
      <a href={to} className={look}>
        {content}
      </a>
    );
  }
  return (
    <Link to={to} className={look} aria-current={isHere ? "page" : undefined}>
      {content}
    </Link>
  );
}
