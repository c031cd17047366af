import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSnapshotStore, openDatabase } from "@rowhouse/db";
import { openStorage } from "@rowhouse/files";
import { createGrant } from "@rowhouse/permissions";
import { createLogger } from "@rowhouse/service";
import { createRole, createTestDatabase, createUser, expose } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import {
  acceptWebhook,
  createWorkflow,
  openWorkflowConnections,
  publishWorkflow,
  setWorkflowEnabled,
} from "@rowhouse/workflows";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { connectionsFor, createWorker } from "../src/index.ts";

const vault = createVault(() => "tests");

const actor = { userId: null, tokenId: null, address: null, requestId: null };
const logger = createLogger("test", "silent");
let environment: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  environment = await open();
});
afterAll(() => environment.close());

/** A worker with the real data engine, and the dependencies to call a webhook. */
async function open() {
  const test = await createTestDatabase();
  const { database } = test;
  await database.query(
    "create table public.trip (id bigint generated always as identity primary key, note text, owner uuid)",
  );
  await expose(database, "public", "trip", "GET", "POST");
  const roleId = await createRole(database, "Drivers");
  const user = await createUser(database, "driver@example.org", "Drivers");
  const pool = openDatabase({
    url: test.url,
    applicationName: "worker",
    connectionsMax: connectionsFor(4),
  });
  const connections = await openWorkflowConnections({
    database: test.service,
    databaseUrl: test.sessionUrl,
    redisUrl: undefined,
    vault,
    report: () => {},
  });
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-files-"));
  const worker = createWorker({
    logger,
    database: pool,
    snapshots: createSnapshotStore(pool),
    connections,
    mails: {
      putRunMail: async () => {},
      put: async () => {},
      publicUrl: async () => null,
      readAttachmentsBy: () => {},
      wake: () => {},
    },
    chromium: { CHROMIUM_SANDBOX: "on" },
    storage: openStorage({ kind: "DIRECTORY", path: folder }),
    concurrency: 4,
  });
  const settings = async () => ({
    "limits.body_bytes": 1_048_576,
    "workflows.max_sync_wait_ms": 10_000,
  });
  return {
    database,
    userId: user.id,
    worker,
    run: async (slug: string, steps: readonly object[]) => {
      const definition = { trigger: { kind: "webhook", executeAs: user.id }, steps };
      const { id } = await createWorkflow(database, { slug, name: slug, definition }, actor);
      await publishWorkflow({ database, vault }, id, actor);
      await setWorkflowEnabled(database, id, true, actor);
      const answer = await acceptWebhook(
        {
          database,
          ...connections,
          settings: { current: settings, fresh: settings },
          authenticate: async () => {
            throw new Error("a public webhook reads no credential");
          },
          recordProven: () => {},
        },
        {
          slug,
          method: "POST",
          search: "",
          headers: {},
          ip: "203.0.113.1",
          requestId: null,
          authorization: null,
          idempotencyKey: null,
          body: {
            declaredBytes: null,
            read: async () => new TextEncoder().encode('{"big":9007199254740993}'),
          },
        },
      );
      return (JSON.parse(answer.body) as { data: Record<string, unknown> }).data;
    },
    grant: async (
      action: "READ" | "CREATE" | "UPDATE" | "DELETE",
      fields: string[] | null,
      rowFilter: object | null,
    ) => {
      const snapshots = createSnapshotStore(database);
      const relation = (await snapshots.fresh()).catalogue.relationByName("public", "trip");
      const resourceId = relation?.resource.id ?? "";
      const grant = { roleId, resourceId, action, fields, rowFilter, check: null, presets: {} };
      await createGrant(database, snapshots, grant, actor);
    },
    close: async () => {
      await worker.close();
      await connections.close();
      await pool.close();
      await rm(folder, { recursive: true, force: true });
      await test.drop();
    },
  };
}

const create = (values: object) => [{ id: "row", kind: "createRow", table: "trip", values }];
const list = [{ id: "rows", kind: "listRows", table: "trip", orderBy: "id" }];

describe("row steps", () => {
  it("row steps act with the current permissions of the execute-as user", async () => {
    expect(await environment.run("no-grant", create({ note: "x" }))).toMatchObject({
      status: "FAILED",
      error: { code: "NOT_FOUND", step: "row" },
    });
    await environment.grant("CREATE", ["note", "owner"], null);
    expect(
      await environment.run("create-only", create({ note: "mine", owner: environment.userId })),
    ).toMatchObject({
      status: "SUCCEEDED",
      result: { id: "1" },
    });
    expect(await environment.run("no-read", list)).toMatchObject({
      status: "FAILED",
      error: { code: "ACTION_DENIED", step: "rows" },
    });
    await environment.database.query("insert into public.trip (note) values ('not mine')");
    await environment.grant("READ", ["id", "note"], { owner: { _eq: "$USER.id" } });
    expect(await environment.run("filtered", list)).toMatchObject({
      status: "SUCCEEDED",
      result: [{ id: "1", note: "mine" }],
    });
  });

  it("a value that does not fit leaves no row behind", async () => {
    const [before] = await environment.database.query("select count(*) from public.trip");
    expect(
      await environment.run("bad-value", create({ note: "x", owner: "no uuid" })),
    ).toMatchObject({
      status: "FAILED",
      error: { code: "VALUE_INVALID" },
    });
    expect(await environment.run("unknown-field", create({ nope: 1 }))).toMatchObject({
      status: "FAILED",
      error: { code: "FIELD_UNKNOWN" },
    });
    expect(await environment.database.query("select count(*) from public.trip")).toEqual([before]);
  });

  it("row steps change and delete what the user may, by key and by filter, up to maxAffected", async () => {
    const note = async () =>
      (
        await environment.database.query<{ note: string; owner: string | null }>(
          "select note, owner from public.trip order by id",
        )
      ).map((row) => `${row.note}${row.owner === null ? "" : "*"}`);
    await environment.database.query("truncate public.trip restart identity");
    await environment.database.query(
      `insert into public.trip (note, owner) values ('a', '${environment.userId}'), ('b', '${environment.userId}'),
         ('$USER.id', '${environment.userId}'), ('foreign', null)`,
    );
    await expose(environment.database, "public", "trip", "GET", "POST", "PATCH", "DELETE");
    const own = { owner: { _eq: "$USER.id" } };
    await environment.grant("UPDATE", ["note"], own);
    await environment.grant("DELETE", null, own);
    const table = "trip";
    const changed = await environment.run("change", [
      { id: "one", kind: "getRow", table, key: "1", fields: "note" },
      { id: "key", kind: "updateRows", table, key: 1, values: { note: "{{steps.one.note}}1" } },
      {
        id: "rest",
        kind: "updateRows",
        table,
        where: { note: { _in: ["b", "foreign"] } },
        values: { note: "$USER.id" },
      },
      { id: "end", kind: "finish", result: ["{{steps.key.note}}", "{{steps.rest}}"] },
    ]);
    expect(changed).toMatchObject({ result: ["a1", [{ id: "2", note: "$USER.id" }]] });
    expect(
      await environment.run("foreign", [
        { id: "key", kind: "updateRows", table, key: 4, values: { note: "x" } },
      ]),
    ).toMatchObject({ error: { code: "NOT_FOUND", step: "key" } });
    const where = { note: { _eq: '{{start.data.body.var ?? "$USER.id"}}' } };
    expect(
      await environment.run("too-many", [
        { id: "gone", kind: "deleteRows", table, where, maxAffected: 1 },
      ]),
    ).toMatchObject({ error: { code: "CONFLICT", step: "gone" } });
    expect(
      await environment.run("all", [{ id: "gone", kind: "deleteRows", table, where: {} }]),
    ).toMatchObject({ error: { code: "QUERY_INVALID", step: "gone" } });
    expect(await note()).toEqual(["a1*", "$USER.id*", "$USER.id*", "foreign"]);
    expect(
      await environment.run("gone", [
        { id: "two", kind: "deleteRows", table, where, maxAffected: 2 },
        { id: "one", kind: "deleteRows", table, key: "1" },
        { id: "end", kind: "finish", result: ["{{steps.two}}", "{{steps.one}}"] },
      ]),
    ).toMatchObject({ result: [2, 1] });
    expect(await note()).toEqual(["foreign"]);
  });

  it("a number keeps its digits from the call to the row", async () => {
    expect(
      await environment.run("digits", create({ note: "{{start.data.body.big}}." })),
    ).toMatchObject({
      status: "SUCCEEDED",
    });
    const [row] = await environment.database.query<{ note: string }>(
      "select note from public.trip order by id desc limit 1",
    );
    expect(row?.note).toBe("9007199254740993.");
  });
});

describe("the worker's service port", () => {
  it("the port serves liveness and readiness only", async () => {
    const ask = (path: string) =>
      environment.worker.service.fetch(new Request(`http://localhost${path}`));
    expect((await ask("/livez")).status).toBe(200);
    const ready = await ask("/readyz");
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { data: { status: "ready", checks: { database: true, queue: true } } },
    ]);
    expect((await ask("/api/anything")).status).toBe(401);
  });
});

describe("the worker's configuration", () => {
  it("each invalid variable is named", () => {
    expect(() => readConfig({ WORKER_CONCURRENCY: "0", PORT: "x" })).toThrow(
      /PORT must be a port number.*DATABASE_URL is missing.*WORKER_CONCURRENCY must be a whole number/,
    );
    expect(
      readConfig({ DATABASE_URL: "postgres://x/y", ROWHOUSE_SECRET: "s".repeat(32) }),
    ).toMatchObject({
      PORT: 8083,
      WORKER_CONCURRENCY: 16,
    });
  });
});
