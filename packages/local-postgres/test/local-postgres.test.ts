// Tier: long. Starts processes.
import { execFileSync, spawn } from "node:child_process";
import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { openDatabase } from "@rowhouse/db";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

test("a second start reuses data, password and port", async () => {
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

test("a folder may be a path relative to the working directory", async () => {
  const directory = relative(process.cwd(), join(folder, "named"));
  const server = await startLocalPostgres({ directory, durable: false });
  expect(server.place).toBe(join(folder, "named", "postgres"));
  expect(await ask(server.url, "select 1 as a")).toEqual([{ a: 1 }]);
  await server.stop();
});

test("case rules and sort order are the same on every platform, also beyond ASCII", async () => {
  const server = await startLocalPostgres({ directory: join(folder, "locale"), durable: false });
  expect(await ask(server.url, "select upper('ä ж') as a, 'a' < 'B' as b")).toEqual([
    { a: "Ä Ж", b: false },
  ]);
  await server.stop();
});

test("a folder in use is rejected with the id of the process that uses it", async () => {
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

  // After SIGKILL its server still runs; the next start stops that server and takes over.
  other.kill("SIGKILL");
  await once(other, "exit");
  const next = await startLocalPostgres({ directory, durable: false });
  expect(await ask(next.url, "select 1 as a")).toEqual([{ a: 1 }]);
  await next.stop();
});

test("a server that cannot start reports the reason", async () => {
  const directory = join(folder, "broken");
  await expect(
    startLocalPostgres({ directory, durable: false, settings: { max_connections: "many" } }),
  ).rejects.toThrow(/max_connections/);
});

test("a server that exits at once is detected by a busy process", async () => {
  const directory = join(folder, "broken");
  let isBusy = true;
  // Each of them occupies a thread of the pool that reads and closes files.
  const work = async () => {
    while (isBusy) await promisify(pbkdf2)("password", "salt", 100_000, 32, "sha256");
  };
  const works = Array.from({ length: 12 }, work);
  const settings = { max_connections: "many" };
  const started = startLocalPostgres({ directory, durable: false, settings });
  await expect(started).rejects.toThrow(/it exited with 1\): .*max_connections/);
  isBusy = false;
  await Promise.all(works);
});

test("a first start whose initdb fails reports the reason in one line and leaves no database folder", async () => {
  const directory = join(folder, "initdb");
  await mkdir(directory);
  await writeFile(join(directory, "postgres"), "a file in its place");
  const failed = await startLocalPostgres({ directory, durable: false }).catch(String);
  expect(failed).toMatch(/^Error: .+$/);
  await rm(join(directory, "postgres"));
  const next = await startLocalPostgres({ directory, durable: false });
  await next.stop();
});

test("a start whose database is missing fails and creates none", async () => {
  const directory = join(folder, "missing");
  const first = await startLocalPostgres({ directory, durable: false });
  await first.stop();
  const copy = join(folder, "missing-copy");
  await cp(directory, copy, { recursive: true, filter: (path) => !path.endsWith("/postgres") });
  await expect(startLocalPostgres({ directory: copy })).rejects.toThrow(
    `${join(copy, "postgres/data")} is missing`,
  );
  // The state that earlier builds left, which did not record the location.
  await rm(join(copy, "postgres-place"));
  await expect(startLocalPostgres({ directory: copy })).rejects.toThrow("is missing");
  await expect(stat(join(copy, "postgres/data"))).rejects.toThrow("ENOENT");
});

test("a database whose password is lost is not started with another one", async () => {
  const directory = join(folder, "password");
  const first = await startLocalPostgres({ directory, durable: false });
  await first.stop();
  await writeFile(join(directory, "postgres-password"), "");
  await expect(startLocalPostgres({ directory })).rejects.toThrow(
    "does not contain the password of its superuser",
  );
  await rm(join(directory, "postgres-password"));
  await expect(startLocalPostgres({ directory })).rejects.toThrow("is missing");
});

test("modes of existing folders do not change", async () => {
  const parent = join(folder, "modes");
  const directory = join(parent, "state");
  await mkdir(directory, { recursive: true });
  await chmod(parent, 0o755);
  for (const mode of [0o755, 0o711, 0o775]) {
    await chmod(directory, mode);
    const server = await startLocalPostgres({ directory, durable: false });
    await server.stop();
    expect((await stat(directory)).mode & 0o777).toBe(mode);
  }
  expect((await stat(parent)).mode & 0o777).toBe(0o755);
});

describe.runIf(process.getuid?.() === 0)("under root, in a folder that only root may enter", () => {
  let closed: string;
  let directory: string;
  let place: string;
  beforeAll(async () => {
    closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o700 });
    directory = join(closed, "state");
    const first = await startLocalPostgres({ directory, durable: false });
    place = first.place;
    await ask(first.url, "create table kept as select 1 as a");
    await first.stop();
  });
  afterAll(async () => {
    await rm(place, { recursive: true });
  });

  test("the directory names the location of its database, and a second start finds it", async () => {
    expect(place.startsWith(closed)).toBe(false);
    expect(await readFile(join(directory, "postgres-place"), "utf8")).toBe(place);
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
    const second = await startLocalPostgres({ directory, durable: false });
    expect(await ask(second.url, "select a from kept")).toEqual([{ a: 1 }]);
    await second.stop();
    expect(await readFile(join(directory, "postgres-port"), "utf8")).toBe(String(second.port));
  });

  test("a second start finds the database of a directory that earlier builds created without the location file", async () => {
    await rm(join(directory, "postgres-place"));
    await rm(join(place, "belongs-to"));
    const server = await startLocalPostgres({ directory, durable: false });
    expect(await ask(server.url, "select a from kept")).toEqual([{ a: 1 }]);
    await server.stop();
    expect(await readFile(join(directory, "postgres-place"), "utf8")).toBe(place);
  });

  test("a copy of the directory alone does not start, neither empty nor with the original's database", async () => {
    const copy = join(closed, "copy");
    await cp(directory, copy, { recursive: true });
    const refused = startLocalPostgres({ directory: copy });
    await expect(refused).rejects.toThrow(`${place} belongs to ${directory}`);
    await rm(copy, { recursive: true });
  });

  test("a moved directory keeps its database", async () => {
    const moved = join(closed, "moved");
    await rename(directory, moved);
    const server = await startLocalPostgres({ directory: moved, durable: false });
    expect(server.place).toBe(place);
    expect(await ask(server.url, "select a from kept")).toEqual([{ a: 1 }]);
    await server.stop();
    directory = moved;
  });

  test("a copy with its database runs where the server's account may enter, and fails with the reason elsewhere", async () => {
    const copy = join(closed, "whole");
    await cp(directory, copy, { recursive: true });
    await cp(place, join(copy, "postgres"), { recursive: true });
    await expect(startLocalPostgres({ directory: copy })).rejects.toThrow(`cannot enter ${copy}`);
    const open = join(folder, "open");
    await cp(copy, open, { recursive: true });
    await expect(startLocalPostgres({ directory: open })).rejects.toThrow("chown -R");
    execFileSync("chown", ["-R", "postgres", join(open, "postgres")]);
    const server = await startLocalPostgres({ directory: open, durable: false });
    expect(await ask(server.url, "select a from kept")).toEqual([{ a: 1 }]);
    await server.stop();
  });

  test("a directory whose database is missing does not start with an empty one", async () => {
    const away = `${place}-away`;
    await rename(place, away);
    await expect(startLocalPostgres({ directory })).rejects.toThrow(
      `its database was kept in ${place}, which does not exist`,
    );
    await rename(away, place);
  });
});
