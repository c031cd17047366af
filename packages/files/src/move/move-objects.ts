import { createHash } from "node:crypto";
import PQueue from "p-queue";
import { ObjectMissing, type Storage, type StoredObject } from "../storage/storage.ts";
import { isOwnKey, storagePrefixes } from "../storage/storage-key.ts";

/** What a move has done with an object. */
export type MoveStep = StoredObject & {
  /** Copied now; already in the target with the same digest; deleted at the source meanwhile. */
  readonly outcome: "copied" | "present" | "gone";
};

export interface MoveOptions {
  readonly from: Storage;
  readonly to: Storage;
  readonly onStep?: (step: MoveStep) => void;
}

/** An object that is not the same in both storages after it was copied. */
export class CopyDiffers extends Error {
  override readonly name = "CopyDiffers";

  constructor(key: string) {
    super(`The copy of ${key} has other bytes than the object`);
  }
}

const copiesAtOnce = 4;

/**
 * Copies all objects from one storage to another, and compares each with its copy by its digest. Objects that the target
 * has already are compared only, so a move that was ended continues. The source stays as it is.
 *
 * @throws CopyDiffers, or the error of a storage, after the copies in progress have ended
 */
export async function moveObjects({ from, to, onStep }: MoveOptions): Promise<void> {
  const queue = new PQueue({ concurrency: copiesAtOnce });
  let failure: { readonly error: unknown } | undefined;
  for (const prefix of storagePrefixes) {
    for await (const object of from.list(prefix)) {
      if (failure !== undefined) break;
      if (!isOwnKey(object.key)) continue;
      await queue.onSizeLessThan(copiesAtOnce);
      void queue
        .add(async () => onStep?.({ ...object, outcome: await moveObject(from, to, object) }))
        .catch((error: unknown) => {
          failure ??= { error };
        });
    }
  }
  await queue.onIdle();
  if (failure !== undefined) throw failure.error;
}

async function moveObject(
  from: Storage,
  to: Storage,
  { key, bytes }: StoredObject,
): Promise<MoveStep["outcome"]> {
  try {
    const present = await to.head(key);
    if (
      present?.bytes === bytes &&
      (await digestOf(to, key, bytes)) === (await digestOf(from, key, bytes))
    ) {
      return "present";
    }
    const hash = createHash("sha256");
    const content = await from.get(key, bytes);
    // A writer that fails early leaves it open.
    const copied = await to.put(key, hashed(content, hash)).finally(() => content.destroy());
    if (copied !== bytes || (await digestOf(to, key, bytes)) !== hash.digest("hex")) {
      await to.delete(key);
      throw new CopyDiffers(key);
    }
    return "copied";
  } catch (error) {
    // A worker has removed it since it was listed.
    if (error instanceof ObjectMissing && (await from.head(key)) === undefined) return "gone";
    throw error;
  }
}

async function digestOf(storage: Storage, key: string, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of await storage.get(key, bytes)) hash.update(chunk);
  return hash.digest("hex");
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
