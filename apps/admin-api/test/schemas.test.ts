// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const reserved = ["system", "pg_catalog", "pg_toast", "information_schema", "rowhouse_queue"];

describe("GET /admin/api/schema", () => {
  it("lists the user schemas with the numbers of their resources page by page, without those of Postgres", async () => {
    await api.test.database.query(`create schema "Größe.x"`);
    await api.test.database.query(`create table "Größe.x".t (id int)`);
    await api.test.database.query(`create view "Größe.x".v as select 1 as one`);
    const all = await api.ask("GET", "/schema");
    expect(all.body.data).toEqual([
      { name: "Größe.x", comment: null, tables: 1, views: 1 },
      { name: "public", comment: "standard public schema", tables: 0, views: 0 },
    ]);
    const first = await api.ask("GET", "/schema?limit=1");
    expect(first.body.data.map((schema: { name: string }) => schema.name)).toEqual(["Größe.x"]);
    const second = await api.ask("GET", `/schema?limit=1&cursor=${first.body.meta.nextCursor}`);
    expect(second.body.data.map((schema: { name: string }) => schema.name)).toEqual(["public"]);
    expect(second.body.meta.nextCursor).toBe(null);
    expect((await api.ask("GET", "/schema?search=UBL")).body.data).toHaveLength(1);
  });
});

describe("POST /admin/api/schema", () => {
  it("creates a schema with an audit entry", async () => {
    const answer = await api.ask("POST", "/schema", { name: 'odd "name"; --' });
    expect([answer.status, answer.body.data.name]).toEqual([201, 'odd "name"; --']);
    const log = await api.ask("GET", "/audit-log?targetKind=schema");
    expect(log.body.data).toMatchObject([{ action: "schema.create", actorUserId: api.admin.id }]);
    const again = await api.ask("POST", "/schema", { name: 'odd "name"; --' });
    expect([again.status, again.faults]).toEqual([409, ["CONFLICT /data/name"]]);
  });

  it("refuses reserved, existing and malformed names", async () => {
    const before = await api.traces();
    for (const name of [...reserved, "pg_mine"]) {
      const answer = await api.ask("POST", "/schema", { name });
      expect([name, answer.faults]).toEqual([name, ["CONFLICT /data/name"]]);
    }
    for (const name of ["", "x".repeat(64), "a\0", 1, null]) {
      expect((await api.ask("POST", "/schema", { name })).faults).toEqual([
        "BODY_INVALID /data/name",
      ]);
    }
    expect((await api.ask("POST", "/schema", { name: "a", owner: "b" })).faults).toEqual([
      "BODY_INVALID /data/owner",
    ]);
    expect(await api.traces()).toBe(before);
  });
});

describe("DELETE /admin/api/schema/{schema}", () => {
  it("drops only a confirmed empty schema, with an audit entry", async () => {
    await api.ask("POST", "/schema", { name: "gone" });
    expect((await api.ask("DELETE", "/schema/gone")).faults).toEqual(["QUERY_INVALID confirm"]);
    const wrong = await api.ask("DELETE", "/schema/gone?confirm=public");
    expect([wrong.status, wrong.faults]).toEqual([400, ["QUERY_INVALID confirm"]]);
    expect((await api.ask("DELETE", "/schema/gone?confirm=gone")).status).toBe(204);
    const log = await api.ask(
      "GET",
      "/audit-log?targetKind=schema&targetId=gone&action=schema.drop",
    );
    expect(log.body.data).toHaveLength(1);
    expect((await api.ask("DELETE", "/schema/gone?confirm=gone")).status).toBe(404);
  });

  it("refuses a schema that is not empty, even if it contains only a type", async () => {
    await api.ask("POST", "/schema", { name: "held" });
    await api.test.database.query("create type held.mood as enum ('fine')");
    const answer = await api.ask("DELETE", "/schema/held?confirm=held");
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    expect(JSON.stringify(answer.body)).not.toContain("mood");
  });

  it("returns 404 for the schemas of Postgres and of the service", async () => {
    for (const schema of [...reserved, "nope", "%00"]) {
      const answer = await api.ask("DELETE", `/schema/${schema}?confirm=x`);
      expect([schema, answer.status]).toEqual([schema, 404]);
    }
  });
});
