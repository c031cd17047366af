import { linkClasses } from "../ui/classes.ts";
import { AppLink } from "./app-link.tsx";

/** The name of a record in a list, which leads to its page. */
export function NameLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <AppLink
      href={href}
      title={name}
      dir="auto"
      className={`${linkClasses} max-w-full truncate align-middle font-medium max-sm:whitespace-normal`}
    >
      {name}
    </AppLink>
  );
}
