import type { Credential } from "@rowhouse/access";
import type { Vault } from "@rowhouse/vault";
import { z } from "zod";

/** Maximum lifetime of a ticket in seconds. */
export const ticketSecondsMax = 60;

const content = z.object({
  kind: z.enum(["SESSION", "TOKEN"]),
  digest: z.string(),
  /** Seconds since 1970. */
  until: z.number(),
});

/**
 * Tickets stand for a credential in the URL of one file. A ticket holds the digest of the credential, under which
 * PostgreSQL finds it, and not the credential: each use is checked as a use of the credential at that moment, and
 * nobody can make a credential of a ticket.
 */
export interface FileTickets {
  create(fileId: string, credential: Credential, seconds: number): Promise<FileTicket>;
  /** @returns undefined for a ticket that is malformed, of another file, or expired */
  read(fileId: string, ticket: string): Promise<Credential | undefined>;
}

export interface FileTicket {
  readonly text: string;
  readonly expiresAt: Date;
}

export function createFileTickets(vault: Vault, now: () => number = Date.now): FileTickets {
  const contextOf = (fileId: string) => `file ticket ${fileId.toLowerCase()}`;
  return {
    create: async (fileId, { kind, digest }, seconds) => {
      const until = Math.floor(now() / 1000) + seconds;
      const text = await vault.seal(JSON.stringify({ kind, digest, until }), contextOf(fileId));
      return { text, expiresAt: new Date(until * 1000) };
    },
    read: async (fileId, ticket) => {
      const text = await vault.open(ticket, contextOf(fileId)).catch(() => undefined);
      if (text === undefined) return undefined;
      const { kind, digest, until } = content.parse(JSON.parse(text));
      return now() < until * 1000 ? { kind, digest } : undefined;
    },
  };
}
