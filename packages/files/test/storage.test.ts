import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStorageKey } from "../src/index.ts";
import {
  bytesOf,
  chunksOf,
  contentOf,
  keysOf,
  startStorage,
  storageKinds,
  type TestStorage,
} from "./storages.ts";

/** More than a part of an upload to S3. */
const large = randomBytes(20_000_000);

function* partsOf(bytes: Buffer, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.each(storageKinds)("the storage %s", (kind) => {
  let test: TestStorage;
  beforeAll(async () => {
    test = await startStorage(kind);
  });
  afterAll(() => test?.stop());

  it.each([
    ["without bytes", Buffer.alloc(0)],
    ["of some bytes", Buffer.from("some bytes")],
    ["of several parts", large],
  ])("an object %s is read back whole, and has its size", async (_size, content) => {
    const { storage } = test;
    const key = createStorageKey();
    const before = Date.now() - 2000;
    expect(await storage.put(key, chunksOf(...partsOf(content)))).toBe(content.length);
    expect((await contentOf(storage, key)).equals(content)).toBe(true);
    const head = await storage.head(key);
    expect([head?.key, head?.bytes]).toEqual([key, content.length]);
    expect(head?.modifiedAt.getTime()).toBeGreaterThan(before);
  });

  it("a range is read with its first and last byte", async () => {
    const { storage } = test;
    const key = createStorageKey();
    await storage.put(key, chunksOf("0123", "456789"));
    const read = async (start: number, end: number) =>
      String(await bytesOf(await storage.get(key, 10, { start, end })));
    expect(await read(0, 0)).toBe("0");
    expect(await read(3, 5)).toBe("345");
    expect(await read(9, 9)).toBe("9");
  });

  it("a missing object is ObjectMissing, has no head, and is deleted without an error", async () => {
    const { storage } = test;
    const key = createStorageKey();
    await expect(storage.get(key, 2)).rejects.toMatchObject({ name: "ObjectMissing" });
    await expect(storage.get(key, 2, { start: 0, end: 1 })).rejects.toMatchObject({
      name: "ObjectMissing",
    });
    expect(await storage.head(key)).toBeUndefined();
    await storage.delete(key);
  });

  it("a deleted object is gone, and a reader that has opened it before reads it to its end", async () => {
    const { storage } = test;
    const key = createStorageKey();
    await storage.put(key, chunksOf("still read"));
    const opened = await storage.get(key, 10);
    await storage.delete(key);
    expect(await storage.head(key)).toBeUndefined();
    expect(String(await bytesOf(opened))).toBe("still read");
  });

  it.each([
    ["few bytes", 100],
    ["several parts", large.length],
  ])(
    "a source that fails after %s leaves nothing, and its error is reported",
    async (_size, size) => {
      const { storage } = test;
      const key = createStorageKey();
      async function* failing() {
        yield* partsOf(large.subarray(0, size));
        throw new Error("the sender is gone");
      }
      await expect(storage.put(key, failing())).rejects.toThrow("the sender is gone");
      expect(await storage.head(key)).toBeUndefined();
      expect(await storage.discardUnfinished(new Date(Date.now() + 60_000))).toBe(0);
    },
  );

  it("an abort ends a source that waits, closes it, and leaves nothing", async () => {
    const { storage } = test;
    const key = createStorageKey();
    const abort = new AbortController();
    async function* stalled() {
      yield* partsOf(large);
      abort.abort();
      await new Promise(() => {});
    }
    await expect(storage.put(key, stalled(), { signal: abort.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(await storage.head(key)).toBeUndefined();
    expect(await storage.discardUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  it("an object appears only when it is complete", async () => {
    const { storage } = test;
    const key = createStorageKey();
    async function* observed() {
      yield* partsOf(large);
      expect(await storage.head(key)).toBeUndefined();
      expect(await keysOf(storage, key)).toEqual([]);
    }
    await storage.put(key, observed());
    expect(await keysOf(storage, key)).toEqual([key]);
  });

  it("a list has the keys of a prefix in their order, from after a key on", async () => {
    const { storage } = test;
    const names = ["b", "a/c", "a/b", "a0", "a/d/e"].map((name) => `ordered/${name}`);
    for (const key of names) await storage.put(key, chunksOf(key));
    const sorted = names.toSorted();
    expect(await keysOf(storage, "ordered/")).toEqual(sorted);
    for (const [index, key] of sorted.entries()) {
      expect(await keysOf(storage, "ordered/", key)).toEqual(sorted.slice(index + 1));
    }
    expect(await keysOf(storage, "ordered/a/")).toEqual(
      ["a/b", "a/c", "a/d/e"].map((name) => `ordered/${name}`),
    );
    expect(await keysOf(storage, "none/")).toEqual([]);
  });

  it.each([
    "objects/../../escape",
    "/etc/passwd",
    "objects//a",
    "objects/a\0b",
    "objects/.hidden",
    "objects/a\\b",
    "objects",
    "",
    "objects/%2e%2e/a",
    `objects/${"a".repeat(300)}`,
  ])("the key %j is rejected by every operation", async (key) => {
    const { storage } = test;
    const message = "is not the key of an object";
    await expect(storage.put(key, chunksOf("x"))).rejects.toThrow(message);
    await expect(storage.get(key, 2)).rejects.toThrow(message);
    await expect(storage.head(key)).rejects.toThrow(message);
    await expect(storage.delete(key)).rejects.toThrow(message);
  });

  it("concurrent writers and deletions of one folder do not disturb each other", async () => {
    const { storage } = test;
    const keys = Array.from({ length: 30 }, (_, index) => `segments/shared/${index}-a`);
    await Promise.all(
      keys.map(async (key) => {
        await storage.put(key, chunksOf(key));
        await storage.delete(key);
      }),
    );
    expect(await keysOf(storage, "segments/shared/")).toEqual([]);
  });

  it("a ping reaches it", async () => {
    await test.storage.ping();
  });
});
