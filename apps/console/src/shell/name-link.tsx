import type { ReactNode } from "react";
import { linkClasses } from "../ui/classes.ts";
import { AppLink } from "./app-link.tsx";

/** The name of a record in a list, which leads to its page. */
export function NameLink(props: {
  readonly href: string;
  readonly name: string;
  /** Beside the name, also if that is cut off. */
  readonly mark?: ReactNode;
}) {
  const { href, name, mark } = props;
  const link = (
    <AppLink
      href={href}
      title={name}
      dir="auto"
      className={`${linkClasses} max-w-full truncate align-middle font-medium max-sm:whitespace-normal`}
    >
      {name}
    </AppLink>
  );
  if (mark === undefined) return link;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle">
      {link}
      {mark}
    </span>
  );
}
