import { createHash } from "node:crypto";
import { createError } from "@rowhouse/errors";
import type { Storage } from "../storage/storage.ts";
import { imageSizeOf } from "./image-size.ts";
import { sniffedBytes, sniffType } from "./sniff.ts";

export interface ReceiveOptions {
  /** The name that the sender gave. */
  readonly name: string;
  /** The media type that the sender named. */
  readonly claimedType: string | null;
  /** Maximum size in bytes. */
  readonly bytesMax: number;
  /** Media types, such as `image/png` or `image/*`; an empty list allows all. */
  readonly allowedTypes: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** What is known of received bytes. */
export interface ReceivedContent {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The media type that the bytes have. */
  readonly mediaType: string;
  /** In pixels; null unless the bytes are an image. */
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * Stores bytes as an object, and measures, hashes and identifies them on the way.
 *
 * @throws AppError BODY_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE if the type of the bytes is not allowed; any error of
 * `content` and of the storage. No object remains.
 */
export async function receiveContent(
  storage: Storage,
  key: string,
  content: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedContent> {
  const watched = new WatchedContent(options);
  const { signal } = options;
  await storage.put(key, watched.pass(content), { signal });
  const { bytes, sha256, mediaType } = watched.result();
  const size = await imageSizeOf(storage, key, { bytes, mediaType });
  return {
    ...{ bytes, sha256, mediaType },
    width: size?.width ?? null,
    height: size?.height ?? null,
  };
}

/** Bytes that pass through: their number, digest and type. */
class WatchedContent {
  readonly #options: ReceiveOptions;
  readonly #hash = createHash("sha256");
  #head: Uint8Array[] = [];
  #bytes = 0;
  #mediaType: string | undefined;

  constructor(options: ReceiveOptions) {
    this.#options = options;
  }

  async *pass(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { bytesMax } = this.#options;
    for await (const chunk of content) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > bytesMax) throw tooLarge(bytesMax);
      this.#hash.update(chunk);
      if (this.#mediaType === undefined) {
        this.#head.push(chunk);
        if (this.#bytes >= sniffedBytes) await this.#identify();
      }
      yield chunk;
    }
    if (this.#mediaType === undefined) await this.#identify();
  }

  result() {
    const mediaType = this.#mediaType ?? "application/octet-stream";
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex"), mediaType };
  }

  async #identify(): Promise<void> {
    const head = Buffer.concat(this.#head).subarray(0, sniffedBytes);
    this.#head = [];
    const { name, claimedType, allowedTypes } = this.#options;
    this.#mediaType = await sniffType(head, claimedType, name);
    requireAllowed(this.#mediaType, allowedTypes);
  }
}

/** @throws AppError BODY_TOO_LARGE for a declared size over the limit */
export function requireSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw tooLarge(bytesMax);
}

function tooLarge(bytesMax: number) {
  return createError("BODY_TOO_LARGE", {
    message: `A file has at most ${bytesMax} bytes (files.max_bytes)`,
  });
}

/** Returns whether a media type is in `files.allowed_types`; an empty list allows all. */
export function isAllowedType(mediaType: string, allowed: readonly string[]): boolean {
  const family = mediaType.replace(/\/.*/, "/*");
  return allowed.length === 0 || allowed.includes(mediaType) || allowed.includes(family);
}

function requireAllowed(mediaType: string, allowed: readonly string[]): void {
  if (isAllowedType(mediaType, allowed)) return;
  throw createError("UNSUPPORTED_MEDIA_TYPE", {
    message: `Files of the type ${mediaType} are not allowed (files.allowed_types)`,
  });
}
