// Tier: long. One of the longest files; s3-storage.test.ts is in every run.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStorageKey, type MoveStep, moveObjects, type Storage } from "../src/index.ts";
import {
  bytesOf,
  chunksOf,
  keysOf,
  type StorageKind,
  startStorage,
  type TestStorage,
} from "./storages.ts";

const directions = [
  ["DIRECTORY", "S3"],
  ["S3", "DIRECTORY"],
] as const satisfies readonly (readonly [StorageKind, StorageKind])[];

describe.each(directions)("a move from %s to %s", (fromKind, toKind) => {
  let source: TestStorage;
  let target: TestStorage;
  const objects = new Map<string, Buffer>();
  beforeEach(async () => {
    [source, target] = await Promise.all([startStorage(fromKind), startStorage(toKind)]);
    objects.clear();
    for (const size of [0, 10, 100_000, 20_000_000]) {
      objects.set(createStorageKey(), randomBytes(size));
    }
    objects.set("segments/0198b2f4-7c1d-7a55-9d0e-3f6f2d1c8a40/0-abc", randomBytes(1000));
    for (const [key, bytes] of objects) await source.storage.put(key, chunksOf(bytes));
    await source.storage.put("objects/of-another-program", chunksOf("x"));
  });
  afterEach(async () => {
    await source.stop();
    await target.stop();
  });

  const move = async (from: Storage = source.storage, to: Storage = target.storage) => {
    const outcomes: Record<MoveStep["outcome"], string[]> = { copied: [], present: [], gone: [] };
    await moveObjects({ from, to, onStep: ({ key, outcome }) => outcomes[outcome].push(key) });
    for (const keys of Object.values(outcomes)) keys.sort();
    return outcomes;
  };
  const keys = () => [...objects.keys()].toSorted();
  const expectWhole = async () => {
    expect(await keysOf(target.storage)).toEqual(keys());
    for (const [key, bytes] of objects) {
      expect((await bytesOf(await target.storage.get(key, bytes.length))).equals(bytes)).toBe(true);
      expect((await bytesOf(await source.storage.get(key, bytes.length))).equals(bytes)).toBe(true);
    }
  };

  it("copies each object of files, and a second run finds all of them", async () => {
    expect(await move()).toEqual({ copied: keys(), present: [], gone: [] });
    await expectWhole();
    expect(await move()).toEqual({ copied: [], present: keys(), gone: [] });
  });

  it("continues after it was ended, and copies what was stored since", async () => {
    const [first = ""] = keys();
    const failing: Storage = {
      ...target.storage,
      put: async (key, content) => {
        if (key !== first) throw new Error("the connection is lost");
        return target.storage.put(key, content);
      },
    };
    await expect(move(source.storage, failing)).rejects.toThrow("the connection is lost");
    expect(await keysOf(target.storage)).toEqual([first]);
    const late = createStorageKey();
    objects.set(late, Buffer.from("late"));
    await source.storage.put(late, chunksOf("late"));
    expect(await move()).toEqual({
      copied: keys().filter((key) => key !== first),
      present: [first],
      gone: [],
    });
    await expectWhole();
  });

  it("replaces a copy of the same size with other bytes", async () => {
    const [key = ""] = keys();
    const size = objects.get(key)?.length ?? 0;
    await target.storage.put(key, chunksOf(randomBytes(size)));
    const { copied, present } = await move();
    expect([...copied, ...present].toSorted()).toEqual(keys());
    await expectWhole();
  });

  it("reports a copy that the target has damaged, and leaves none of it", async () => {
    const [key = ""] = keys();
    const damaging: Storage = {
      ...target.storage,
      put: async (each, content) => {
        const bytes = await bytesOf(content);
        return target.storage.put(
          each,
          chunksOf(each === key ? bytes.fill(1).subarray(1) : bytes, "x"),
        );
      },
    };
    await expect(move(source.storage, damaging)).rejects.toMatchObject({ name: "CopyDiffers" });
    expect(await target.storage.head(key)).toBeUndefined();
  });

  it("passes over an object that is removed while it runs", async () => {
    const [key = ""] = keys();
    const removing: Storage = {
      ...source.storage,
      get: async (each, ...rest) => {
        if (each === key) await source.storage.delete(key);
        return source.storage.get(each, ...rest);
      },
    };
    const { copied, gone } = await move(removing);
    expect([copied, gone]).toEqual([keys().filter((each) => each !== key), [key]]);
  });
});
