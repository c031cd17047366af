import { parseSecret } from "@rowhouse/access";
import { createSnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOnce, type DataEngine, openDataPlane } from "../src/index.ts";
import {
  parseCreateRequest,
  parseDeleteRequest,
  parseUpdateRequest,
} from "../src/parse/parse-write.ts";
import type { WriteRequest } from "../src/parse/request.ts";
import { grant, limits, noOptions } from "./engine.ts";

let test: TestDatabase;
let user: TestUser;
let snapshots: ReturnType<typeof createSnapshotStore>;
let engine: DataEngine;
let lastId = 100;

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  snapshots = createSnapshotStore(database);
  engine = openDataPlane({ database, snapshots }).engine;
  await createRole(database, "Members");
  await createRole(database, "More");
  user = await createUser(database, "member@example.com", "Members", "More");
  await database.query(
    "create table salaries (id bigint primary key, owner uuid, pay numeric, note text, code text default 'c')",
  );
  await database.query("create table lines (owner uuid, text text)");
  for (const name of ["salaries", "lines"])
    await expose(database, "public", name, "POST", "PATCH", "DELETE");
});
afterAll(() => test.drop());

const newId = (): string => {
  lastId += 1;
  return String(lastId);
};

/** Removes all grants, then grants CREATE and the given READ grants, each by a role of its own. */
const allow = async (...reads: readonly Partial<Parameters<typeof grant>[4]>[]) => {
  const roles = await test.database.query<{ id: string }>(
    "select id from system.roles where name in ('Members', 'More') order by name",
  );
  await test.database.query("delete from system.grants where role_id = any ($1::uuid[])", [
    `{${roles.map(({ id }) => id).join(",")}}`,
  ]);
  for (const name of ["public/salaries", "public/lines"]) {
    const isWhole = name === "public/lines";
    for (const action of ["CREATE", "UPDATE", "DELETE"] as const) {
      await grant(test.database, snapshots, roles[0]?.id ?? "", name, { action });
    }
    for (const [at, read] of reads.entries()) {
      const input = isWhole ? {} : read;
      await grant(test.database, snapshots, roles[at]?.id ?? "", name, {
        action: "READ",
        ...input,
      });
    }
  }
};

const target = (name: string) => ({ schema: "public", name, kind: "TABLE" }) as const;

const create = (key: string, data: unknown, table = "salaries") =>
  write(key, parseCreateRequest(target(table), "", data, limits));

const update = (key: string, id: string, data: unknown, ifMatch: readonly string[] | null = null) =>
  write(key, parseUpdateRequest(target("salaries"), id, "", data, { ...noOptions, ifMatch }));

const remove = (key: string, id: string) =>
  write(
    key,
    parseDeleteRequest(target("salaries"), id, "", { ...noOptions, representation: true }),
  );

const write = async (key: string, request: WriteRequest) => {
  const credential = parseSecret(user.secret);
  if (credential === undefined) throw new Error("not a secret");
  try {
    const { status, body, headers } = await answerOnce(
      test.database,
      engine,
      request,
      { kind: "CREDENTIAL", credential },
      key,
    );
    const data = (JSON.parse(body ?? "{}") as { data?: unknown }).data;
    const replayed = headers?.["Idempotency-Replayed"] === "true";
    return { status, body, data, replayed, etag: headers?.ETag };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: error.status, body: null, data: null, replayed: false, etag: undefined };
  }
};

const own = { rowFilter: { owner: { _eq: "$USER.id" } } };

describe("a create that is repeated with its idempotency key", () => {
  it("a repeated create returns the identical response while its caller may see all of it, also after the row was deleted", async () => {
    await allow({});
    const row = { id: newId(), owner: user.id, pay: "1.50", note: "n" };
    const first = await create("same", row);
    expect(first).toMatchObject({ status: 201, replayed: false, data: { ...row, code: "c" } });
    expect(await create("same", row)).toEqual({ ...first, replayed: true });
    await test.database.query("delete from salaries where id = $1::text::bigint", [row.id]);
    expect(await create("same", row)).toEqual({ ...first, replayed: true });
  });

  it("a repeated create omits a field that its caller may no longer read", async () => {
    await allow({});
    const row = {
      id: newId(),
      owner: user.id,
      pay: "12345678901234567890.10",
      note: "n",
    };
    await create("fields", row);
    await allow({ fields: ["note"] });
    expect(await create("fields", row)).toMatchObject({ status: 201, replayed: true });
    expect((await create("fields", row)).data).toEqual({ id: row.id, note: "n" });
    await allow({ fields: ["pay"] });
    expect((await create("fields", row)).body).toContain('"pay":"12345678901234567890.10"');
  });

  it("a repeated create returns the key alone once its caller has lost READ", async () => {
    await allow({});
    const rows = [1, 2].map(() => ({ id: newId(), owner: user.id, pay: "1" }));
    await create("read", rows);
    await allow();
    expect((await create("read", rows)).data).toEqual(rows.map(({ id }) => ({ id })));
    await create("line", { owner: user.id, text: "t" }, "lines");
    expect((await create("line", { owner: user.id, text: "t" }, "lines")).data).toEqual({});
  });

  it("a repeated create returns the key alone of rows that a new row filter hides and of deleted rows", async () => {
    await allow(own);
    const rows = [1, 2, 3].map(() => ({ id: newId(), owner: user.id, pay: "1" }));
    const first = await create("rows", rows);
    expect(first.data).toMatchObject(rows);
    expect(await create("rows", rows)).toEqual({ ...first, replayed: true });
    const [given, gone, kept] = rows;
    await test.database.query("update salaries set owner = null where id = $1::text::bigint", [
      given?.id ?? null,
    ]);
    await test.database.query("delete from salaries where id = $1::text::bigint", [
      gone?.id ?? null,
    ]);
    expect((await create("rows", rows)).data).toEqual([
      { id: given?.id },
      { id: gone?.id },
      { ...kept, note: null, code: "c" },
    ]);
  });

  it("a repeated create returns a field of some rows only where the caller may read it", async () => {
    await allow({});
    const rows = [1, 2].map((n) => ({ id: newId(), owner: user.id, pay: String(n) }));
    await create("some", rows);
    await allow({ fields: ["note"] }, { fields: ["pay"], rowFilter: { pay: { _gt: 1 } } });
    expect((await create("some", rows)).data).toEqual([
      { id: rows[0]?.id, note: null },
      { id: rows[1]?.id, note: null, pay: "2" },
    ]);
  });

  it("a repeated create is rejected once its caller has lost CREATE", async () => {
    await allow({});
    const row = { id: newId(), owner: user.id };
    await create("lost", row);
    await test.database.query("delete from system.grants where action = 'CREATE'");
    expect((await create("lost", row)).status).toBe(403);
  });
});

describe("a change that is repeated with its idempotency key", () => {
  it("returns the response and the tag of the first one, until the caller may see less of it", async () => {
    await allow({});
    const id = newId();
    const { etag = "" } = await create(`made ${id}`, { id, owner: user.id, pay: "1.50" });
    const ifMatch = [etag.slice(1, -1)];
    const first = await update("change", id, { pay: "2.50" }, ifMatch);
    expect(first).toMatchObject({ status: 200, replayed: false, data: { id, pay: "2.50" } });
    expect(await update("change", id, { pay: "2.50" }, ifMatch)).toEqual({
      ...first,
      replayed: true,
    });
    await allow({ fields: ["pay"] });
    expect(await update("change", id, { pay: "2.50" }, ifMatch)).toMatchObject({
      ...{ data: { id, pay: "2.50" }, etag: undefined },
    });
    await allow();
    expect((await update("change", id, { pay: "2.50" }, ifMatch)).data).toEqual({ id });
    await test.database.query("delete from system.grants where action = 'UPDATE'");
    expect((await update("change", id, { pay: "2.50" }, ifMatch)).status).toBe(403);
  });

  it("returns a deleted row only to a caller who may read every row", async () => {
    await allow({});
    const id = newId();
    await create(`made ${id}`, { id, owner: user.id, pay: "1" });
    const first = await remove("gone", id);
    expect(first).toMatchObject({ status: 200, data: { id, pay: "1" }, etag: undefined });
    expect(await remove("gone", id)).toEqual({ ...first, replayed: true });
    await allow(own);
    expect((await remove("gone", id)).data).toEqual({ id });
  });
});
