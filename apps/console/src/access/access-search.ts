import { type ResourceEntry, resourceName } from "../shell/resource-queries.ts";
import { textParameter } from "../shell/text-parameter.ts";
import { type Action, actionMethods, type Method, type Role } from "./access-queries.ts";

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

/** What the matrix shows, as its address has it. */
export interface MatrixSearch {
  /** A part of `schema.name` or of the label. */
  readonly search?: string | undefined;
  readonly schema?: string | undefined;
  /** The id of the only role. */
  readonly role?: string | undefined;
}

/** Reads the parameters of an address. */
export function readMatrixSearch(raw: Readonly<Record<string, unknown>>): MatrixSearch {
  return {
    search: textParameter(raw.search),
    schema: textParameter(raw.schema),
    role: textParameter(raw.role),
  };
}

/** Returns the resources of the matrix, by schema and name. */
export function resourcesOf(
  all: readonly ResourceEntry[],
  { search = "", schema }: MatrixSearch,
): readonly ResourceEntry[] {
  const wanted = search.toLowerCase();
  return all
    .filter((one) => schema === undefined || one.schema === schema)
    .filter((one) => `${resourceName(one)} ${one.label ?? ""}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.schema.localeCompare(b.schema) || a.name.localeCompare(b.name));
}

/** Returns the roles of the matrix, by name. Members of Administrators need no grant. */
export function rolesOf(all: readonly Role[], { role }: MatrixSearch): readonly Role[] {
  return all
    .filter((one) => !one.isAdministrators && (role === undefined || one.id === role))
    .toSorted((a, b) => a.name.localeCompare(b.name));
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
