import { textOf } from "../text-of.ts";

/** Whom one sees as, and what, as the address has it. */
export interface ViewAsSearch {
  /** Id of a person. */
  readonly user?: string | undefined;
  /** In place of a person: ids of roles, with commas between them. */
  readonly roles?: string | undefined;
  /** Path and query of a GET request; without it, the tables that they may open. */
  readonly path?: string | undefined;
}

/** Reads the parameters of an address. */
export function readViewAsSearch(raw: Readonly<Record<string, unknown>>): ViewAsSearch {
  return { user: textOf(raw.user), roles: textOf(raw.roles), path: textOf(raw.path) };
}

/** The caller of a preview: a person, or somebody with roles. */
export type SeenAs = { readonly userId: string } | { readonly roleIds: readonly string[] };

/** Returns the caller of an address; undefined as long as none is chosen. */
export function seenAs({ user, roles }: ViewAsSearch): SeenAs | undefined {
  if (user !== undefined) return { userId: user };
  const roleIds = (roles ?? "").split(",").filter((id) => id !== "");
  return roleIds.length === 0 ? undefined : { roleIds };
}
