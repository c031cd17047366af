import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepFile } from "../src/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-keep-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("a file is created once, readable only by its owner, and is the same for concurrent callers", async () => {
  const path = join(folder, "once");
  const texts = await Promise.all(
    Array.from({ length: 20 }, () => keepFile(path, () => `text ${randomUUID()}`)),
  );
  expect(new Set(texts)).toEqual(new Set([await readFile(path, "utf8")]));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["once"]);
});

// A limit on the file size makes a write fail like a full disk.
test.skipIf(process.platform === "win32")(
  "a failed write leaves no file, and the next one succeeds",
  async () => {
    const path = join(folder, "full");
    const program = `import { keepFile } from "@rowhouse/local-postgres";
      await keepFile(${JSON.stringify(path)}, () => "a secret").then(
        (text) => console.log("kept", text), (error) => console.log("failed", error.code));`;
    const write = (limit: string) =>
      spawnSync(
        "sh",
        [
          "-c",
          `ulimit -f ${limit}; exec "$0" "$@"`,
          process.execPath,
          ...["--conditions=rowhouse-source", "--import", "tsx", "--input-type=module", "-e"],
          program,
        ],
        // The cache of the loader is a file as well.
        {
          cwd: import.meta.dirname,
          encoding: "utf8",
          env: { ...process.env, TSX_DISABLE_CACHE: "1" },
        },
      ).stdout;
    expect(write("0")).toBe("failed EFBIG\n");
    await expect(stat(path)).rejects.toThrow("ENOENT");
    expect((await readdir(folder)).filter((name) => name.startsWith("full"))).toEqual([]);
    expect(write("unlimited")).toBe("kept a secret\n");
  },
);
