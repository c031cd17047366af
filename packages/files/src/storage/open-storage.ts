import { openDirectoryStorage } from "./directory-storage.ts";
import type { S3Config } from "./s3-config.ts";
import type { Storage } from "./storage.ts";

/** Where the objects are. */
export type StorageConfig = { readonly kind: "DIRECTORY"; readonly path: string } | S3Config;

interface StorageLog {
  error(details: object, message: string): void;
}

/**
 * Opens a storage. It connects with the first object; `ping` tests it.
 *
 * @param log receives the error of a bucket that cannot be used at the start: of a wrong key, for example. Without it
 * nothing is tested
 */
export function openStorage(config: StorageConfig, log?: StorageLog): Storage {
  if (config.kind === "DIRECTORY") return openDirectoryStorage(config.path);
  const storage = openBucket(config);
  if (log !== undefined) {
    storage.ping().catch((error: unknown) => {
      log.error({ err: error }, "The storage of files cannot be used");
    });
  }
  return storage;
}

/** Loads the SDK with the first operation: it takes most of a second and 25 MB, which a folder does not need. */
function openBucket(config: S3Config): Storage {
  let opening: Promise<Storage> | undefined;
  const opened = () => {
    opening ??= import("./s3-storage.ts").then(({ openS3Storage }) => openS3Storage(config));
    return opening;
  };
  return {
    put: async (...input) => (await opened()).put(...input),
    get: async (...input) => (await opened()).get(...input),
    head: async (key) => (await opened()).head(key),
    delete: async (key) => (await opened()).delete(key),
    list: async function* (...input) {
      yield* (await opened()).list(...input);
    },
    discardUnfinished: async (before) => (await opened()).discardUnfinished(before),
    ping: async () => (await opened()).ping(),
  };
}
