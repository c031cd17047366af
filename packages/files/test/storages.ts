import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type S3Server, startS3Server } from "@rowhouse/testing";
import { openStorage, type Storage, type StorageConfig } from "../src/index.ts";

/** A storage with a real place, and its end. */
export interface TestStorage {
  readonly storage: Storage;
  readonly config: StorageConfig;
  stop(): Promise<void>;
}

export const storageKinds = ["DIRECTORY", "S3"] as const;
export type StorageKind = (typeof storageKinds)[number];

/** Opens an empty storage of a kind. */
export async function startStorage(kind: StorageKind): Promise<TestStorage> {
  if (kind === "S3") {
    const server = await startS3Server();
    const config = s3ConfigOf(server);
    return { storage: openStorage(config), config, stop: () => server.stop() };
  }
  const path = await mkdtemp(join(tmpdir(), "rowhouse-files-"));
  const config = { kind, path } as const;
  return {
    storage: openStorage(config),
    config,
    stop: () => rm(path, { recursive: true, force: true }),
  };
}

export function s3ConfigOf(server: S3Server) {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = server;
  return {
    kind: "S3",
    endpoint,
    bucket,
    region: "us-east-1",
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  } as const;
}

/** Bytes in several chunks. */
export async function* chunksOf(...chunks: readonly (string | Uint8Array)[]) {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

/** Returns all bytes of a stored object. */
export async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns all bytes of an object, whose size the storage names. */
export async function contentOf(storage: Storage, key: string): Promise<Buffer> {
  const { bytes = 0 } = (await storage.head(key)) ?? {};
  return bytesOf(await storage.get(key, bytes));
}

/** Returns the keys of all objects. */
export async function keysOf(storage: Storage, prefix = "", after?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix, after)) keys.push(key);
  return keys;
}
