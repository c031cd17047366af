import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";

/** An answer's body as bytes of JSON, and its entity tag. */
export interface KeptDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** With its quotes; of the bytes alone, so that it holds over processes and restarts. */
  readonly tag: string;
}

/** Documents that were made of one snapshot are kept up to this many bytes. */
const bytesMaxDefault = 64 * 1024 * 1024;

/**
 * Keeps documents that are made of a snapshot and of a key, and costly to make: with 800 tables one is megabytes long. A caller
 * passes the snapshot that is proven current, so that a change of a right leads to another snapshot and to no kept document.
 *
 * The key has to name everything else that decides the document: the roles that it is made for.
 */
export class KeptDocuments {
  readonly #ofSnapshot = new WeakMap<object, Map<string, KeptDocument>>();
  readonly #bytesMax: number;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  /** The document of this snapshot and key; `make` is called if it is not kept. */
  async of(
    snapshot: object,
    key: string,
    make: () => unknown | Promise<unknown>,
  ): Promise<KeptDocument> {
    const kept = this.#ofSnapshot.get(snapshot) ?? new Map<string, KeptDocument>();
    this.#ofSnapshot.set(snapshot, kept);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = documentOf(JSON.stringify(await make()));
    let size = made.bytes.length;
    for (const { bytes } of kept.values()) size += bytes.length;
    for (const [oldest, { bytes }] of kept) {
      if (size <= this.#bytesMax) break;
      kept.delete(oldest);
      size -= bytes.length;
    }
    if (size <= this.#bytesMax) kept.set(key, made);
    return made;
  }
}

function documentOf(json: string): KeptDocument {
  const bytes = new TextEncoder().encode(json);
  return { bytes, tag: tagOf(bytes) };
}

/** A document with JSON text before and after it; the part that is kept is not hashed again. */
export function embedDocument(before: string, kept: KeptDocument, after: string): KeptDocument {
  const bytes = Buffer.concat([Buffer.from(before), kept.bytes, Buffer.from(after)]);
  return { bytes, tag: tagOf(`${before}${kept.tag}${after}`) };
}

function tagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** The header that routes with kept documents take. */
export const documentHeaders = z.object({
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "`ETag` of a document that the caller has" }),
});

/** The answers of a route that `sendDocument` serves, besides the document itself. */
export const notModifiedAnswer = {
  304: { description: "The document still has the entity tag that `If-None-Match` names" },
} as const;

/** 200 with the document and its `ETag`, or 304 without it if `If-None-Match` names that tag (RFC 9110 §13.1.2). */
export function sendDocument<Body>(
  c: Context,
  { bytes, tag }: KeptDocument,
): Response & TypedResponse<Body, 200, "json"> {
  const wanted = c.req.header("if-none-match");
  const isKnown = wanted !== undefined && namesTag(wanted, tag);
  const answer = isKnown
    ? c.body(null, 304, { ETag: tag })
    : c.body(bytes, 200, { "Content-Type": "application/json", ETag: tag });
  return answer as unknown as Response & TypedResponse<Body, 200, "json">;
}

/** By the weak comparison, which `If-None-Match` asks for. */
function namesTag(list: string, tag: string): boolean {
  const tags = list.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes(tag) || list.trim() === "*";
}
