import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { ReadClientDocument } from "./client-document.ts";
import type { KnownClient } from "./known-client.ts";

/** `registerClient` makes such ids; the database permits capital letters too. */
const registeredId = /^rhc_[0-9a-f]{30}$/;

/**
 * Loads a client that registered itself, or reads the document at the address that is its id.
 *
 * @throws AppError BODY_INVALID for an unknown client; the reason is not in it, so that the addresses of the network
 * behind this process cannot be explored
 */
export async function requireClient(
  database: Queryable,
  readDocument: ReadClientDocument,
  id: string,
): Promise<KnownClient> {
  const client = registeredId.test(id)
    ? await loadRegistered(database, id)
    : await readDocument(id).catch(() => undefined);
  if (client !== undefined) return client;
  throw createError("BODY_INVALID", {
    path: "/clientId",
    message:
      "Unknown client: the id must be the https address of a client's document, or of a registered client",
  });
}

async function loadRegistered(database: Queryable, id: string): Promise<KnownClient | undefined> {
  const [row] = await database.query<{ name: string; uri: string | null; uris: string }>(
    "select name, uri, to_json(redirect_uris)::text as uris from system.oauth_clients where id = $1::text",
    [id],
  );
  if (row === undefined) return undefined;
  const { name, uri, uris } = row;
  return { id, name, uri, kind: "REGISTERED", redirectUris: JSON.parse(uris) as string[] };
}
