import { spawn } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { openDatabase } from "@rowhouse/db";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLocalPostgres } from "../src/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-local-"));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function ask(url: string, text: string): Promise<unknown[]> {
  const database = openDatabase({ url, applicationName: "test", connectionsMax: 1 });
  try {
    return await database.query(text);
  } finally {
    await database.close();
  }
}

test("a second start finds data, password and port as they were", async () => {
  const directory = join(folder, "second");
  const first = await startLocalPostgres({ directory });
  await ask(first.url, "create table kept as select 1 as a");
  expect(await ask(first.url, "select setting from pg_settings where name = 'fsync'")).toEqual([
    { setting: "on" },
  ]);
  await first.stop();
  const second = await startLocalPostgres({ directory });
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, "select a from kept")).toEqual([{ a: 1 }]);
  await second.stop();
  expect((await stat(join(directory, "postgres-password"))).mode & 0o777).toBe(0o600);
});

test("a folder may be named from where this process is", async () => {
  const directory = relative(process.cwd(), join(folder, "named"));
  const server = await startLocalPostgres({ directory, durable: false });
  expect(server.place).toBe(join(folder, "named", "postgres"));
  expect(await ask(server.url, "select 1 as a")).toEqual([{ a: 1 }]);
  await server.stop();
});

test("letter case and order are the same everywhere, beyond ASCII too", async () => {
  const server = await startLocalPostgres({ directory: join(folder, "locale"), durable: false });
  expect(await ask(server.url, "select upper('ä ж') as a, 'a' < 'B' as b")).toEqual([
    { a: "Ä Ж", b: false },
  ]);
  await server.stop();
});

test("a folder in use is refused, and the process that uses it is named", async () => {
  const directory = join(folder, "in-use");
  const program = `import { startLocalPostgres } from "@rowhouse/local-postgres";
    await startLocalPostgres({ directory: ${JSON.stringify(directory)}, durable: false });
    console.log("ready"); setInterval(() => {}, 1000);`;
  const other = spawn(
    process.execPath,
    ["--conditions=rowhouse-source", "--import", "tsx", "--input-type=module", "-e", program],
    { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(other.stdout, "data");
  await expect(startLocalPostgres({ directory })).rejects.toThrow(
    `The folder is in use by process ${other.pid}`,
  );

  // Killed outright, it leaves its server running; the next start stops that one and takes over.
  other.kill("SIGKILL");
  await once(other, "exit");
  const next = await startLocalPostgres({ directory, durable: false });
  expect(await ask(next.url, "select 1 as a")).toEqual([{ a: 1 }]);
  await next.stop();
});

test("a server that cannot start says why", async () => {
  const directory = join(folder, "broken");
  await expect(
    startLocalPostgres({ directory, durable: false, settings: { max_connections: "many" } }),
  ).rejects.toThrow(/max_connections/);
});

test("a server that ends at once is noticed by a process that has much else to do", async () => {
  const directory = join(folder, "broken");
  let isBusy = true;
  // Each of them keeps what files are read and closed by.
  const work = async () => {
    while (isBusy) await promisify(pbkdf2)("password", "salt", 100_000, 32, "sha256");
  };
  const works = Array.from({ length: 12 }, work);
  const settings = { max_connections: "many" };
  const started = startLocalPostgres({ directory, durable: false, settings });
  await expect(started).rejects.toThrow(/it ended with 1\):\n.*max_connections/s);
  isBusy = false;
  await Promise.all(works);
});

test.runIf(process.getuid?.() === 0)(
  "under root, a folder that only root may enter works as well",
  async () => {
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o700 });
    await chmod(closed, 0o700);
    const directory = join(closed, "state");
    const first = await startLocalPostgres({ directory, durable: false });
    expect(first.place.startsWith(closed)).toBe(false);
    await ask(first.url, "create table kept as select 1 as a");
    await first.stop();
    const second = await startLocalPostgres({ directory, durable: false });
    expect(await ask(second.url, "select a from kept")).toEqual([{ a: 1 }]);
    await second.stop();
    expect(await readFile(join(directory, "postgres-port"), "utf8")).toBe(String(second.port));
    await rm(second.place, { recursive: true });
  },
);
