import { client } from "../../shell/client.ts";
import type { Memberships } from "../memberships.ts";
import type { ManagedTable } from "./managed-tables.ts";

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
