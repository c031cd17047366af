import type { Credential } from "@rowhouse/access";
import type { Vault } from "@rowhouse/vault";
import { z } from "zod";

/** Lifetime in seconds of a link whose request names none. */
export const ticketSecondsDefault = 60;

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
  /**
   * Creates a ticket for these bytes. The same credential, file and bytes get the same ticket for a while, so that a
   * browser finds in its cache what it has loaded; new bytes get another one.
   */
  create(file: TicketFile, credential: Credential, seconds: number): Promise<FileTicket>;
  /** @returns undefined for a ticket that is malformed, of another file, or expired */
  read(fileId: string, ticket: string): Promise<ReadTicket | undefined>;
}

export type TicketFile = { readonly id: string; readonly sha256: string };

export interface FileTicket {
  readonly text: string;
  readonly expiresAt: Date;
}

export interface ReadTicket {
  readonly credential: Credential;
  /** At least 1. */
  readonly secondsLeft: number;
}

export function createFileTickets(vault: Vault, now: () => number = Date.now): FileTickets {
  const contextOf = (fileId: string) => `file ticket ${fileId.toLowerCase()}`;
  const seconds = () => Math.floor(now() / 1000);
  return {
    create: async ({ id, sha256 }, { kind, digest }, lifetime) => {
      const until = endOf(seconds(), lifetime);
      const version = sha256.slice(0, 16);
      const sealed = JSON.stringify({ kind, digest, until, version });
      const text = await vault.sealRepeatably(sealed, contextOf(id));
      return { text, expiresAt: new Date(until * 1000) };
    },
    read: async (fileId, ticket) => {
      const text = await vault.open(ticket, contextOf(fileId)).catch(() => undefined);
      if (text === undefined) return undefined;
      const { kind, digest, until } = content.parse(JSON.parse(text));
      const secondsLeft = until - seconds();
      return secondsLeft > 0 ? { credential: { kind, digest }, secondsLeft } : undefined;
    },
  };
}

/** A longer ticket ends at a multiple of a quarter of its lifetime, so it has more than three quarters of it. */
function endOf(now: number, lifetime: number): number {
  const step = lifetime > ticketSecondsDefault ? Math.floor(lifetime / 4) : 1;
  return Math.floor((now + lifetime) / step) * step;
}
