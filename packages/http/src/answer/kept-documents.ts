import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";

/** The body of a response as JSON bytes, with its entity tag. */
export interface KeptDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Including its quotes. It depends only on the bytes, so it is equal in all processes and after restarts. */
  readonly tag: string;
}

/** Maximum size of the cached documents of one snapshot, in bytes. */
const bytesMaxDefault = 64 * 1024 * 1024;

/**
 * Caches documents by snapshot and key that are expensive to create: with 800 tables one has several megabytes. A
 * caller passes the snapshot that is proven current, so a change of rights selects another snapshot and no cached
 * document.
 *
 * The key must identify everything else that decides the document: the roles for which it is created.
 */
export class KeptDocuments {
  readonly #ofSnapshot = new WeakMap<object, Map<string, KeptDocument>>();
  readonly #bytesMax: number;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the document of this snapshot and key; calls `make` if it is not cached. */
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

/** Adds JSON text before and after a document; the cached part is not hashed again. */
export function embedDocument(before: string, kept: KeptDocument, after: string): KeptDocument {
  const bytes = Buffer.concat([Buffer.from(before), kept.bytes, Buffer.from(after)]);
  return { bytes, tag: tagOf(`${before}${kept.tag}${after}`) };
}

function tagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** The request header of routes with cached documents. */
export const documentHeaders = z.object({
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "`ETag` of a document that the caller has" }),
});

/** The query of routes with OpenAPI documents. */
export const documentQuery = z.object({
  exports: z.enum(["true", "false"]).optional().openapi({
    description:
      "`true` adds the media types besides JSON, such as files and event streams, and the operations that have no JSON",
  }),
});

/** Further responses of a route that uses `sendDocument`. */
export const notModifiedAnswer = {
  304: { description: "The document still has the entity tag in `If-None-Match`" },
} as const;

/**
 * Returns 200 with the document and its `ETag`, or 304 without it if `If-None-Match` contains that tag (RFC 9110
 * §13.1.2).
 */
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

/** Whether the value of `If-None-Match` contains a tag. Uses the weak comparison, as RFC 9110 requires. */
export function namesTag(list: string, tag: string): boolean {
  const tags = list.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return tags.includes(tag) || list.trim() === "*";
}
