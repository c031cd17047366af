import { client } from "./client.ts";
import type { Found } from "./find-box.tsx";

const limit = 20;

/** Finds users by a part of the name or address; system accounts are left out. */
export async function findUsers(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await client.admin.get("/users", {
    query: { limit, ...(search === "" ? {} : { search }) },
    signal,
  });
  return data
    .filter(({ isSystem }) => !isSystem)
    .map(({ id, name, email }) => userFound(id, name, email));
}

/** A user as an option: the name, and the address beside it. */
export function userFound(id: string, name: string, email: string): Found {
  return name === "" ? { id, label: email } : { id, label: name, detail: email };
}

/** Finds roles by a part of the name. */
export async function findRoles(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { data } = await client.admin.get("/roles", {
    query: { limit, ...(search === "" ? {} : { search }) },
    signal,
  });
  return data.map(({ id, name }) => ({ id, label: name }));
}
