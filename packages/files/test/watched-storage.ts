import type { Storage } from "../src/index.ts";
import { contentOf, keysOf, startStorage } from "./storages.ts";

export interface WatchedStorage {
  readonly storage: Storage;
  /** The keys of the objects that were read, in order. */
  readonly read: readonly string[];
  keys(): Promise<string[]>;
  contentOf(key: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens a storage in a temporary folder, and records its reads. */
export async function openWatchedStorage(): Promise<WatchedStorage> {
  const { storage, stop } = await startStorage("DIRECTORY");
  const read: string[] = [];
  const get: Storage["get"] = (key, ...rest) => {
    read.push(key);
    return storage.get(key, ...rest);
  };
  return {
    storage: { ...storage, get },
    read,
    keys: () => keysOf(storage),
    contentOf: (key) => contentOf(storage, key),
    close: stop,
  };
}
