import { client } from "../shell/client.ts";

/** A person in a role. */
export interface Membership {
  readonly person: { readonly id: string; readonly name: string };
  readonly role: { readonly id: string; readonly name: string };
}

/** The API that writes memberships. */
export interface Memberships {
  /** Adds a person to a role, or returns `ASK` if that makes an administrator and is not confirmed yet. */
  add(membership: Membership, isConfirmed: boolean): Promise<"ADDED" | "ASK">;
  remove(membership: Membership): Promise<void>;
}

/** Writes memberships by the Admin API. */
export const adminMemberships: Memberships = {
  add: async ({ person, role }, isConfirmed) => {
    const path = { id: role.id };
    const { data: now } = await client.admin.get("/roles/{id}", { path });
    if (now.isAdministrators && !isConfirmed) return "ASK";
    await client.admin.post("/roles/{id}/members", { path, data: { userId: person.id } });
    return "ADDED";
  },
  remove: async ({ person, role }) => {
    const path = { id: role.id, userId: person.id };
    await client.admin.delete("/roles/{id}/members/{userId}", { path });
  },
};
