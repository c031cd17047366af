import { randomBytes } from "node:crypto";
import { type Database, schema } from "@rowhouse/db";
import { asc, eq } from "drizzle-orm";
import type { Storage } from "../storage/storage.ts";
import type { Upload } from "./upload.ts";
import { appendSegment, uploadEnded } from "./write-upload.ts";

const { uploadSegments } = schema;

/** Size of a segment in bytes. One upload holds as much in memory. */
const segmentBytes = 8_388_608;

interface SegmentDependencies {
  readonly database: Database;
  readonly storage: Storage;
}

/**
 * Stores the next bytes of a resumable upload as objects of a bounded size. If `content` fails, the bytes that arrived
 * before are stored as well.
 *
 * @returns the number of bytes received so far
 * @throws AppError CONFLICT if another request wrote at the same place; the error of `content`
 */
export async function storeSegments(
  { database, storage }: SegmentDependencies,
  upload: Upload,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  let start = upload.received;
  let chunks: Uint8Array[] = [];
  let size = 0;
  const store = async () => {
    if (size === 0) return;
    const segment = { start, bytes: size, storageKey: createSegmentKey(upload.id, start) };
    const bytes = chunks;
    chunks = [];
    size = 0;
    await storage.put(segment.storageKey, fromChunks(bytes));
    if (!(await appendSegment(database, upload, segment))) {
      await storage.delete(segment.storageKey);
      throw uploadEnded();
    }
    start += segment.bytes;
  };
  try {
    for await (const chunk of content) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= segmentBytes) await store();
    }
  } catch (error) {
    await store();
    throw error;
  }
  await store();
  return start;
}

/** Yields the bytes of an upload in their order. */
export async function* readSegments(
  { database, storage }: SegmentDependencies,
  { id }: Upload,
): AsyncGenerator<Uint8Array> {
  const segments = await database.orm
    .select({ storageKey: uploadSegments.storageKey })
    .from(uploadSegments)
    .where(eq(uploadSegments.uploadId, id))
    .orderBy(asc(uploadSegments.start));
  for (const { storageKey } of segments) yield* await storage.get(storageKey);
}

async function* fromChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function createSegmentKey(uploadId: string, start: number): string {
  return `segments/${uploadId}/${start}-${randomBytes(8).toString("hex")}`;
}
