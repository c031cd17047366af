import { client } from "./client.ts";
import type { Found } from "./find-box.tsx";

const limit = 20;

/** Finds users by a part of the name or address; system accounts are left out. */
export async function findUsers(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const accounts = await loadAccounts(search, signal);
  return accounts.filter(({ isSystem }) => !isSystem).map(accountFound);
}

/** Finds users and system accounts by a part of the name or address. */
export async function findAccounts(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  return (await loadAccounts(search, signal)).map(accountFound);
}

async function loadAccounts(search: string, signal: AbortSignal) {
  const { data } = await client.admin.get("/users", {
    query: { limit, ...(search === "" ? {} : { search }) },
    signal,
  });
  return data;
}

function accountFound(account: {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}) {
  return userFound(account.id, account.name, account.email);
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
