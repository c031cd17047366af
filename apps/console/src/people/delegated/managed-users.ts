import { useQuery } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import {
  type NavigationColumn,
  type NavigationResource,
  navigationQuery,
} from "../../shell/navigation.ts";
import type { Memberships } from "../memberships.tsx";

/** A row of `system.users`; a column that the person may not read is undefined. */
export interface ManagedUser {
  readonly id: string;
  readonly email?: string;
  readonly name?: string;
  readonly active?: boolean;
  readonly is_system?: boolean;
  readonly time_zone?: string | null;
  readonly language?: string | null;
}

const columns = ["id", "email", "name", "active", "is_system", "time_zone", "language"];
const limit = 50;

export const userRows = client.from("system.users");
export const memberRows = client.from("system.role_members");
export const roleRows = client.from("system.roles");

/** Writes memberships by the rows of `system.role_members`. The service refuses those of administrators. */
export const managedMemberships: Memberships = {
  add: async ({ person, role }) => {
    await memberRows.create({ role_id: role.id, user_id: person.id });
    return "ADDED";
  },
  remove: ({ person, role }) => memberRows.remove([role.id, person.id]),
};

/** The address of the page of a person. */
export const managedPath = (id: string) => `/app/people/${id}`;

/** What the pages call a person. */
export function nameOf({ name = "", email = "", id }: ManagedUser): string {
  return name || email || id;
}

/** Reads a page of the accounts that the person may see. */
export async function listManagedUsers(
  users: ManagedTable,
  filters: { readonly search?: string; readonly active?: boolean },
  page: { readonly cursor?: string },
  signal: AbortSignal,
) {
  const { search, active } = filters;
  const { rows, meta } = await userRows.list({
    ...{ ...page, limit, signal, fields: fieldsOf(users) },
    orderBy: users.canRead("email") ? "email" : "id",
    ...(search === undefined ? {} : { search }),
    ...(active === undefined ? {} : { where: { active: { _eq: active } } }),
  });
  return {
    data: rows as unknown as readonly ManagedUser[],
    meta: { nextCursor: meta.nextCursor ?? null },
  };
}

/** Reads one account with the tag of its version. */
export async function readManagedUser(users: ManagedTable, id: string, signal?: AbortSignal) {
  const { row, etag } = await userRows.get(id, {
    fields: fieldsOf(users),
    ...(signal && { signal }),
  });
  return { user: row as unknown as ManagedUser, etag };
}

function fieldsOf(users: ManagedTable): readonly string[] {
  return columns.filter((name) => users.canRead(name));
}

/** The table `system.users`, `system.roles` or `system.role_members`, as far as the person may use it. */
export interface ManagedTable {
  may(action: NavigationResource["actions"][number]): boolean;
  /** The names of the columns that the person may read. */
  readonly readable: readonly string[];
  canRead(name: string): boolean;
  canSet(name: string, way: "creatable" | "updatable"): boolean;
}

/** The tables of accounts; undefined until the navigation is loaded. */
export function useManagedTables() {
  const { data } = useQuery(navigationQuery);
  if (data === undefined) return undefined;
  const find = (name: string) =>
    managedTable(data.resources.find((one) => one.schema === "system" && one.name === name));
  return { users: find("users"), roles: find("roles"), members: find("role_members") };
}

function managedTable(resource: NavigationResource | undefined): ManagedTable {
  const columnOf = (name: string): NavigationColumn | undefined =>
    resource?.columns.find((one) => one.name === name);
  const readable = resource?.columns.filter((one) => one.readable).map(({ name }) => name) ?? [];
  return {
    may: (action) => resource?.actions.includes(action) === true,
    readable,
    canRead: (name) => readable.includes(name),
    canSet: (name, way) => columnOf(name)?.[way] === true,
  };
}
