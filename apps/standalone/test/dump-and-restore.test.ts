// Tier: long. Starts processes; backup-command.test.ts has the commands in every run.
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@rowhouse/db";
import {
  type AppProcess,
  hasStockPostgres,
  type StockPostgres,
  startApp,
  startStockPostgres,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { downloadFile, uploadFile } from "./files.ts";

const signIn = { email: "admin@example.com", password: "correct horse battery staple" };
const secret = "a secret of the tests' own, long enough";

/** Runs statements on a database as its owner, bypassing the service. */
async function run(url: string, ...texts: readonly string[]) {
  const database = openDatabase({ url, applicationName: "test", connectionsMax: 1 });
  const results: object[][] = [];
  for (const text of texts) results.push(await database.query(text));
  await database.close();
  return results;
}

describe.runIf(hasStockPostgres())("a dump, restored into another database", () => {
  let server: StockPostgres;
  let folder: string;
  let service: AppProcess;
  let runId = "";
  let token = "";
  let admin = "";
  let report = "";
  /** Deleted between the dump and the copy of the files. */
  let late = "";

  const filesOf = (database: string) => join(folder, `files-of-${database}`);
  const start = (database: string) =>
    startApp("standalone", {
      DATABASE_URL: server.url(database),
      ROWHOUSE_ADMIN_EMAIL: signIn.email,
      ROWHOUSE_ADMIN_PASSWORD: signIn.password,
      ROWHOUSE_SECRET: secret,
      ROWHOUSE_DATA_DIR: folder,
      FILES_DIR: filesOf(database),
      LOG_LEVEL: "error",
    });
  const ask = (method: string, path: string, as: string, data?: object) =>
    createClient(service).ask(method, path, { as, ...(data && { body: { data } }) });
  const administer = async (method: string, path: string, data?: object) => {
    const answer = await ask(method, `/admin/api${path}`, admin, data);
    expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
    return answer.body?.data;
  };
  const grantsOf = async (url: string) =>
    (
      await run(
        url,
        `select g.usage, g.column_name, g.attribute_number, a.attname::text as now
         from system.grant_columns g join system.grants x on x.id = g.grant_id
         join system.resources r on r.id = coalesce(g.path_resource_id, x.resource_id)
         left join pg_attribute a on a.attrelid = r.relation_oid and a.attnum = g.attribute_number and not a.attisdropped
         order by 1, 2`,
      )
    )[0] as readonly { column_name: string; attribute_number: number; now: string | null }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowhouse-restore-"));
    server = await startStockPostgres();
    await run(server.url("postgres"), "create database original", "create database restored");
    service = await start("original");
    admin = await createClient(service).signIn(signIn);

    // Dropped columns leave gaps in the attribute numbers; a restore closes them, and changes the OIDs of relations.
    await run(
      server.url("original"),
      "create table public.gone (id int)",
      "create table public.depots (old text, id bigint primary key, city text not null)",
      "create table public.trips (first text, secret text, id bigint primary key generated always as identity, note text, owner text not null, second text, depot_id bigint references public.depots)",
      "alter table public.depots drop column old",
      "alter table public.trips drop column first, drop column second",
      "drop table public.gone",
      "insert into public.depots values (1, 'Bergen')",
      "insert into public.trips (secret, note, owner, depot_id) values ('s1', 'hers', 'driver@example.com', 1), ('s2', 'not hers', 'other', 1)",
    );
    const password = "another horse battery staple";
    const user = await administer("POST", "/users", { email: "driver@example.com", password });
    const role = await administer("POST", "/roles", { name: "Drivers", apiAccess: true });
    await administer("POST", `/roles/${role.id}/members`, { userId: user.id });
    const resources = await administer("GET", "/resources?limit=1000");
    const resourceOf = (name: string): string =>
      resources.find((each: { name: string }) => each.name === name).id;
    for (const [name, fields, rowFilter] of [
      [
        "trips",
        ["id", "note", "depot_id"],
        { owner: { _eq: "$USER.email" }, "depot.city": { _eq: "Bergen" } },
      ],
      ["depots", ["id", "city"], null],
    ] as const) {
      const resourceId = resourceOf(name);
      await administer("PATCH", `/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] });
      await administer("POST", "/grants", {
        roleId: role.id,
        resourceId,
        action: "READ",
        fields,
        rowFilter,
      });
    }
    const created = await administer("POST", "/tokens", {
      userId: user.id,
      name: "t",
      plane: "api",
    });
    token = created.secret;
    const workflow = await administer("POST", "/workflows", {
      slug: "note",
      name: "Note",
      definition: {
        trigger: { kind: "webhook", access: "AUTHENTICATED" },
        steps: [
          { id: "row", kind: "createRow", table: "trips", values: { note: "by run", owner: "x" } },
          { id: "end", kind: "finish", result: { id: "{{steps.row.id}}" } },
        ],
      },
    });
    await administer("POST", `/workflows/${workflow.id}/publish`);
    await administer("POST", `/workflows/${workflow.id}/enable`);
    const [administrators] = await administer("GET", "/roles?search=Administrators");
    await administer("POST", `/workflows/${workflow.id}/invoke-grants`, {
      roleId: administrators.id,
    });
    const call = await ask("POST", "/api/workflows/note/webhook", admin, {});
    expect([call.status, call.body.data.status]).toEqual([200, "SUCCEEDED"]);
    runId = call.body.data.id;

    await administer("PATCH", `/resources/${resourceOf("files")}`, {
      exposedMethods: ["GET", "POST", "DELETE"],
    });
    report = await uploadFile(service, admin, "report.txt", "figures");
    late = await uploadFile(service, admin, "late.txt", "deleted late");

    const file = join(folder, "dump");
    // Taken while the service runs, like a backup.
    await server.run(
      "pg_dump",
      "--format=custom",
      "--exclude-schema=rowhouse_queue",
      `--file=${file}`,
      server.url("original"),
    );
    // First the database, then the files: what is deleted in between remains for ten minutes.
    expect((await ask("DELETE", `/api/system/table/files/${late}`, admin)).status).toBe(204);
    await cp(filesOf("original"), filesOf("restored"), { recursive: true });
    expect(await service.stop()).toBe(0);
    await server.run(
      "pg_restore",
      "--exit-on-error",
      "--no-owner",
      `--dbname=${server.url("restored")}`,
      file,
    );
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("has other numbers, and every record is bound again by name", async () => {
    const before = await grantsOf(server.url("original"));
    service = await start("restored");
    const after = await grantsOf(server.url("restored"));
    expect(before.map((each) => each.column_name)).toEqual(after.map((each) => each.column_name));
    expect(before.length).toBeGreaterThan(4);
    for (const each of [...before, ...after]) expect(each.now).toBe(each.column_name);
    const numbers = (of: typeof before) => of.map((each) => each.attribute_number);
    expect(numbers(after)).not.toEqual(numbers(before));
  }, 200_000);

  it("gives sessions and tokens exactly their previous rights", async () => {
    const own = [{ id: "1", note: "hers", depot_id: "1" }];
    const list = await ask("GET", "/api/public/table/trips", token);
    expect([list.status, list.body.data]).toEqual([200, own]);
    const hidden = await ask("GET", "/api/public/table/trips?where[secret][_eq]=s1", token);
    const unknown = await ask("GET", "/api/public/table/trips?where[nope][_eq]=s1", token);
    expect([hidden.status, hidden.body.errors[0].code]).toEqual([400, unknown.body.errors[0].code]);
    const related = await ask("GET", "/api/public/table/trips?fields=id,depot.city", token);
    expect(related.body.data).toEqual([{ id: "1", depot: { city: "Bergen" } }]);
    expect((await ask("GET", "/api/auth/me", admin)).body.data.email).toBe(signIn.email);
  });

  it("has the bytes of every file, also of one that the original deleted after the dump", async () => {
    expect(await downloadFile(service, admin, report)).toEqual([200, "figures"]);
    expect(await downloadFile(service, admin, late)).toEqual([200, "deleted late"]);
    // The check that the page on backups shows.
    const [rows = []] = await run(
      server.url("restored"),
      "select sha256 || '  ' || storage_key as line from system.files where storage_key is not null",
    );
    const lines = (rows as readonly { line: string }[]).map(({ line }) => `${line}\n`).join("");
    expect(lines.split("\n")).toHaveLength(3);
    execFileSync("sha256sum", ["--check", "--quiet"], { cwd: filesOf("restored"), input: lines });
    // Both databases have storages of their own.
    expect((await ask("DELETE", `/api/system/table/files/${report}`, admin)).status).toBe(204);
    expect((await readdir(join(filesOf("original"), "objects"))).length).toBeGreaterThan(0);
  });

  it("contains its runs, and runs its workflows", async () => {
    const before = await ask("GET", `/api/workflows/runs/${runId}/result`, admin);
    expect([before.status, before.body.data.status]).toEqual([200, "SUCCEEDED"]);
    const call = await ask("POST", "/api/workflows/note/webhook", admin, {});
    expect([call.status, call.body.data.status]).toEqual([200, "SUCCEEDED"]);
  });

  it("detects changes of the catalogue as before", async () => {
    const url = server.url("restored");
    await run(
      url,
      "alter table public.trips drop column note",
      "alter table public.trips add column note text",
    );
    const list = await ask("GET", "/api/public/table/trips", token);
    // A column that was dropped and added again gets no grants back.
    expect(list.body.data).toEqual([{ id: "1", depot_id: "1" }]);
  });
});
