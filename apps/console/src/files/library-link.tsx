import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { FilesSearch } from "./files-search.ts";

interface LibraryLinkProps {
  /** What the library shows then; the rest stays. */
  readonly change: Partial<FilesSearch>;
  readonly isOpen?: boolean;
  readonly title?: string;
  readonly look: string;
  readonly children: ReactNode;
}

/** A link to another state of the library. */
export function LibraryLink({ change, isOpen, title, look, children }: LibraryLinkProps) {
  return (
    <Link
      from="/app/files"
      to="/app/files"
      search={(last) => ({ ...last, ...change })}
      aria-current={isOpen === true ? "true" : undefined}
      title={title}
      dir="auto"
      className={look}
    >
      {children}
    </Link>
  );
}

/** The state in which a folder is open; undefined for the top. */
export function openFolder(id: string | undefined): Partial<FilesSearch> {
  return { folder: id, search: undefined, open: undefined };
}
