// Tier: all. Starts a server.
import { appendFile, chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@rowhouse/db";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLocalPostgres } from "../src/index.ts";
import { ServerLog } from "../src/server-log.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-log-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const secret = "sesame-4711";
const refused: [string, string, readonly string[]][] = [
  ["a check", `insert into public.people values (1, '${secret}')`, []],
  ["a check, with a parameter", "insert into public.people values (2, $1::text)", [secret]],
  ["a key", `insert into public.people values (0, 'a', '${secret}')`, []],
  ["a value", "select $1::text::int", [secret]],
  ["a value in the text", `select '${secret}'::int`, []],
  ["a trigger", `update public.people set note = '${secret}'`, []],
  ["a warning", `do $$ begin raise warning 'value %', '${secret}'; end $$`, []],
];

test("no statement leaves a value in the log of the server", async () => {
  const server = await startLocalPostgres({ directory: folder, durable: false });
  const database = openDatabase({ url: server.url, applicationName: "log" });
  await database.query(`
    create table public.people (id int primary key, note text, other text default '${secret}' unique, check (id <> 1 and id <> 2));
    create function public.refuse() returns trigger language plpgsql as $$ begin raise 'not %', new.note; end $$;
    insert into public.people values (0, 'a', '${secret}')`);
  await database.query(
    "create trigger refuse before update on public.people for each row execute function public.refuse()",
  );
  for (const [name, text, parameters] of refused) {
    const failed = await database.query(text, parameters).then(
      () => false,
      () => true,
    );
    expect([name, failed]).toEqual([name, name !== "a warning"]);
  }
  await database.close();
  const log = join(server.place, "postgres.log");
  await server.stop();
  const text = await readFile(log, "utf8");
  expect(text).not.toContain(secret);
  expect(text).toContain("database system is shut down");
  expect((await stat(log)).mode & 0o777).toBe(0o600);
});

test("a large log becomes the previous one, and a start keeps the last", async () => {
  const log = new ServerLog(folder, 1000);
  const file = await log.open();
  await file.write("first\n");
  await log.turn();
  expect(await readFile(log.path, "utf8")).toBe("first\n");
  await appendFile(log.path, "x".repeat(2000));
  await log.turn();
  // The server writes on at the new end.
  await file.write("second\n");
  expect(await readFile(log.path, "utf8")).toBe("second\n");
  expect(await readFile(`${log.path}.1`, "utf8")).toContain("first\nxxx");
  await file.close();
  await (await log.open()).close();
  expect(await readFile(`${log.path}.1`, "utf8")).toBe("second\n");
  expect(await readFile(log.path, "utf8")).toBe("");
});
