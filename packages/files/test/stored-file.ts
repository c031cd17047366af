import { createHash } from "node:crypto";
import type { Database } from "@rowhouse/db";
import { createStorageKey, type Storage, sniffType } from "../src/index.ts";
import { chunksOf } from "./storages.ts";

export interface StoredTestFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly storageKey: string;
}

/** Stores bytes as a file, as an upload by a user does. */
export async function storeFile(
  { database, storage }: { readonly database: Database; readonly storage: Storage },
  content: Uint8Array,
  name = "file",
  isScanned = false,
): Promise<StoredTestFile> {
  const storageKey = createStorageKey();
  await storage.put(storageKey, chunksOf(content));
  const sha256 = createHash("sha256").update(content).digest("hex");
  const mediaType = await sniffType(content.subarray(0, 4100), null, name);
  const bytes = content.byteLength;
  const state = isScanned ? "QUARANTINED" : "READY";
  const [row] = await database.query<{ id: string }>(
    `with new as (select gen_random_uuid() as id)
     insert into system.files (id, name, content, state, media_type, bytes, sha256, storage_key)
     select id, $1::text, '/api/files/' || id, $2::text, $3::text, $4::text::bigint, $5::text, $6::text from new
     returning id`,
    [name, state, mediaType, String(bytes), sha256, storageKey],
  );
  if (row === undefined) throw new Error("The file was not stored");
  return { id: row.id, name, mediaType, bytes, sha256, storageKey };
}
