import { LRUCache } from "lru-cache";
import { z } from "zod";
import { cleanName, cleanUri, clientMetadata, usesCodes } from "./client-texts.ts";
import { imitatesProduct } from "./imitation.ts";
import type { KnownClient } from "./known-client.ts";
import { isPossibleRedirect } from "./redirect-uri.ts";

/** Reads the document of a client; rejects if there is none that can be used. */
export type ReadClientDocument = (id: string) => Promise<KnownClient>;

/** Sends the requests for documents. It decides which addresses are allowed, follows no redirect and bounds the body. */
export type FetchDocument = (
  url: string,
  request: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
) => Promise<Response>;

const keepMs = 5 * 60_000;
const keptMax = 100;
const idMax = 1000;

const document = clientMetadata.extend({
  client_id: z.string(),
  // A document is public, so a secret in it proves nothing.
  client_secret: z.undefined().optional(),
  token_endpoint_auth_method: z.literal("none").optional(),
});

/**
 * Creates a reader of Client ID Metadata Documents. A document is kept for five minutes; requests for one document that
 * arrive together share a fetch, and a failure is not kept.
 *
 * @param now the clock, in milliseconds
 */
export function createDocumentReader(
  fetch: FetchDocument,
  now: () => number = Date.now,
): ReadClientDocument {
  const known = new LRUCache<
    string,
    { readonly client: Promise<KnownClient>; readonly until: number }
  >({ max: keptMax });
  return (id) => {
    const found = known.get(id);
    if (found !== undefined && found.until > now()) return found.client;
    const client = readDocument(fetch, id);
    known.set(id, { client, until: now() + keepMs });
    client.catch(() => known.delete(id));
    return client;
  };
}

async function readDocument(fetch: FetchDocument, id: string): Promise<KnownClient> {
  const { host } = requireDocumentUrl(id);
  const answer = await fetch(id, { method: "GET", headers: { Accept: "application/json" } });
  const type = answer.headers.get("content-type") ?? "";
  if (answer.status !== 200 || !/^application\/(?:[\w.-]+\+)?json[ \t]*(?:;|$)/i.test(type)) {
    throw new Error("The address of the client has no JSON document");
  }
  const metadata = document.parse(await answer.json());
  if (metadata.client_id !== id) throw new Error("The document names another client");
  const redirectUris = metadata.redirect_uris.filter(isPossibleRedirect);
  if (redirectUris.length === 0 || !usesCodes(metadata)) {
    throw new Error("The document has no redirect address and code flow that can be used");
  }
  const name = cleanName(metadata.client_name, host);
  return {
    id,
    // The host is a fact; a name that deceives is not shown.
    name: imitatesProduct(name) ? host : name,
    uri: cleanUri(metadata.client_uri),
    kind: "DOCUMENT",
    redirectUris,
  };
}

/** The address of a document has one spelling, so that two clients cannot look the same. */
function requireDocumentUrl(id: string): URL {
  if (id.length > idMax || !URL.canParse(id)) throw new Error("The client id is not an address");
  const url = new URL(id);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const isSecure = url.protocol === "https:" || (url.protocol === "http:" && isLocal);
  const isOnePath = url.pathname !== "/" && url.hash === "" && !id.includes("#");
  const isAnonymous = url.username === "" && url.password === "";
  if (isSecure && isOnePath && isAnonymous && url.href === id) return url;
  throw new Error("The client id must be an https address with a path, in its normal form");
}
