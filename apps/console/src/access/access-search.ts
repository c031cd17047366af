import { type Action, actionMethods, type Method } from "../grants/model/grant-queries.ts";
import { textParameter } from "../shell/text-parameter.ts";

/** The request that is explained, as the address has it. */
export interface ExplainSearch {
  /** Id of the person. */
  readonly user?: string | undefined;
  readonly method?: Method | undefined;
  /** Path and query, such as `/api/fleet/table/vehicles?limit=10`. */
  readonly path?: string | undefined;
}

/** Reads the parameters of an address. */
export function readExplainSearch(raw: Readonly<Record<string, unknown>>): ExplainSearch {
  return {
    user: textParameter(raw.user),
    method: actionMethods.find(({ method }) => method === raw.method)?.method,
    path: textParameter(raw.path),
  };
}

/** What a new grant begins with. */
interface GrantSearch {
  /** Ids of the role and of the resource. */
  readonly role?: string | undefined;
  readonly resource?: string | undefined;
  readonly action?: Action | undefined;
}

/** Reads the parameters of an address. */
export function readGrantSearch(raw: Readonly<Record<string, unknown>>): GrantSearch {
  return {
    role: textParameter(raw.role),
    resource: textParameter(raw.resource),
    action: actionMethods.find(({ action }) => action === raw.action)?.action,
  };
}

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
  return {
    user: textParameter(raw.user),
    roles: textParameter(raw.roles),
    path: textParameter(raw.path),
  };
}

/** The caller of a preview: a person, or somebody with roles. */
export type SeenAs = { readonly userId: string } | { readonly roleIds: readonly string[] };

/** Returns the caller of an address; undefined as long as none is chosen. */
export function seenAs({ user, roles }: ViewAsSearch): SeenAs | undefined {
  if (user !== undefined) return { userId: user };
  const roleIds = (roles ?? "").split(",").filter((id) => id !== "");
  return roleIds.length === 0 ? undefined : { roleIds };
}
