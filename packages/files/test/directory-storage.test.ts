import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStorageKey, openStorage } from "../src/index.ts";
import { bytesOf, chunksOf, keysOf } from "./storages.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-files-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const openIn = (name: string) => openStorage({ kind: "DIRECTORY", path: join(folder, name) });

it("only the account of the service can read objects and their folders", async () => {
  const storage = openIn("modes");
  const key = createStorageKey();
  await storage.put(key, chunksOf("secret"));
  const modeOf = async (path: string) => (await stat(join(folder, "modes", path))).mode & 0o777;
  expect(await modeOf(key)).toBe(0o600);
  expect(await modeOf("objects")).toBe(0o700);
  expect(await modeOf(key.slice(0, "objects/ab".length))).toBe(0o700);
});

it("a list is in the order of keys where names begin alike, and leaves out other files", async () => {
  const storage = openIn("order");
  const keys = ["o/a/b", "o/a-b/c", "o/a0", "o/aa/b"].map((key) => key);
  for (const key of keys) await storage.put(key, chunksOf("x"));
  await writeFile(join(folder, "order/o/.hidden"), "x");
  expect(await keysOf(storage)).toEqual(keys.toSorted());
  expect(await keysOf(storage, "o/a", "o/a-b/c")).toEqual(["o/a/b", "o/a0", "o/aa/b"]);
});

it("the folder of a resumable upload is deleted with its last part", async () => {
  const storage = openIn("segments");
  await storage.put("segments/one/0-a", chunksOf("x"));
  await storage.put("segments/one/1-b", chunksOf("x"));
  await storage.delete("segments/one/0-a");
  expect(await readdir(join(folder, "segments/segments"))).toEqual(["one"]);
  await storage.delete("segments/one/1-b");
  expect(await readdir(join(folder, "segments/segments"))).toEqual([]);
});

it("what a killed writer left is no object, and is discarded once it is old", async () => {
  const path = join(folder, "killed");
  const storage = openStorage({ kind: "DIRECTORY", path });
  const writer = spawn(
    process.execPath,
    [
      "--conditions=rowhouse-source",
      "--import",
      "tsx",
      fileURLToPath(new URL("endless-writer.ts", import.meta.url)),
      path,
    ],
    { stdio: "ignore" },
  );
  const left = async () => {
    const names = await readdir(join(path, ".unfinished")).catch(() => []);
    const sizes = names.map(async (name) => (await stat(join(path, ".unfinished", name))).size);
    return (await Promise.all(sizes)).filter((size) => size > 0).length;
  };
  await expect.poll(left).toBe(1);
  const exit = once(writer, "exit");
  writer.kill("SIGKILL");
  await exit;
  expect(await keysOf(storage)).toEqual([]);
  const dayAgo = () => new Date(Date.now() - 86_400_000);
  expect(await storage.discardUnfinished(dayAgo())).toBe(0);
  const [name = ""] = await readdir(join(path, ".unfinished"));
  await utimes(join(path, ".unfinished", name), 0, dayAgo().getTime() / 1000 - 60);
  expect(await storage.discardUnfinished(dayAgo())).toBe(1);
  expect(await readdir(join(path, ".unfinished"))).toEqual([]);
});

it("a folder that is full or cannot be written is reported, nothing remains, and space that returns is used", async (context) => {
  const path = join(folder, "full");
  await mkdir(path);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path]);
  if (mounted.status !== 0) return context.skip("a file system cannot be mounted here");
  try {
    const storage = openStorage({ kind: "DIRECTORY", path });
    const kept = createStorageKey();
    await storage.put(kept, chunksOf(Buffer.alloc(1_000_000, 1)));
    const tooLarge = createStorageKey();
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(65_536));
    await expect(storage.put(tooLarge, chunksOf(...chunks))).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: "The storage of files is full",
      headers: { "Retry-After": "60" },
    });
    expect(await readdir(join(path, ".unfinished"))).toEqual([]);
    expect(await keysOf(storage)).toEqual([kept]);
    expect((await bytesOf(await storage.get(kept, 1_000_000))).length).toBe(1_000_000);
    await storage.delete(kept);
    await storage.put(tooLarge, chunksOf(...chunks.slice(0, 20)));
    expect(await keysOf(storage)).toEqual([tooLarge]);
  } finally {
    spawnSync("umount", [path]);
  }
});
