import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Arrangement, arrange } from "./arrangement.ts";

let api: Arrangement;
const ids: Record<string, string> = {};
beforeAll(async () => {
  api = await arrange();
  await api.test.database.query("create schema fleet");
  await api.test.database.query(
    `create table fleet."odd. ""name" (id int primary key, "a.b" text not null default 'x')`,
  );
  await api.test.database.query("create view fleet.seen as select 1 as one");
  await api.test.database.query("create table public.plain (id int)");
  for (const resource of (await api.ask("GET", "/resources")).body.data) {
    ids[resource.name] = resource.id;
  }
});
afterAll(() => api.test.drop());

const patch = (name: string, exposedMethods: unknown) =>
  api.ask("PATCH", `/resources/${ids[name]}`, { exposedMethods });

describe("GET /admin/api/resources", () => {
  it("lists by schema and name, searched, filtered, page by page", async () => {
    const all = (await api.ask("GET", "/resources")).body;
    expect(all.meta).toEqual({ nextCursor: null });
    const names = all.data.map(
      (item: { schema: string; name: string }) => `${item.schema}.${item.name}`,
    );
    expect(names).toEqual([...names].sort());
    expect(names).toContain('fleet.odd. "name');
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = (await api.ask("GET", `/resources?limit=2${cursor}`)).body;
      expect(page.data.length).toBeLessThanOrEqual(2);
      found.push(
        ...page.data.map((item: { schema: string; name: string }) => `${item.schema}.${item.name}`),
      );
      if (page.meta.nextCursor === null) break;
      cursor = `&cursor=${page.meta.nextCursor}`;
    }
    expect(found).toEqual(names);
    expect((await api.ask("GET", "/resources?schema=fleet")).body.data).toHaveLength(2);
    expect((await api.ask("GET", "/resources?search=ODD")).body.data).toHaveLength(1);
    expect((await api.ask("GET", "/resources?schema=nope")).body.data).toEqual([]);
  });

  it("reads one with its columns, never a secret one", async () => {
    const odd = (await api.ask("GET", `/resources/${ids['odd. "name']}`)).body.data;
    expect(odd).toMatchObject({ kind: "TABLE", primaryKey: ["id"], exposedMethods: [] });
    expect(odd.columns[1]).toEqual({
      name: "a.b",
      dataType: "text",
      nullable: false,
      hasDefault: true,
      identity: null,
      generated: false,
    });
    const users = await api.ask("GET", `/resources/${ids.users}`);
    expect(JSON.stringify(users.body)).not.toContain("password_hash");
  });
});

describe("PATCH /admin/api/resources/{id}", () => {
  it("exposes methods, in one order, and hides again; each change is audited", async () => {
    const answer = await patch("plain", ["DELETE", "GET"]);
    expect([answer.status, answer.body.data.exposedMethods]).toEqual([200, ["GET", "DELETE"]]);
    expect((await patch("plain", [])).body.data.exposedMethods).toEqual([]);
    const log = await api.ask("GET", `/audit-log?targetId=${ids.plain}`);
    expect(log.body.data).toHaveLength(2);
    expect(log.body.data[0]).toMatchObject({
      action: "resource.update",
      targetKind: "resource",
      changedFields: ["exposedMethods"],
    });
  });

  it("refuses what a resource never has, and changes nothing then", async () => {
    const before = await api.traces();
    const at = (index: number) => `BODY_INVALID /data/exposedMethods/${index}`;
    expect((await patch("seen", ["GET", "POST", "DELETE"])).faults).toEqual([at(1), at(2)]);
    expect((await patch("plain", ["GET", "GET"])).faults).toEqual([at(1)]);
    expect((await patch("plain", ["PUT", 1])).faults).toEqual([at(0), at(1)]);
    expect((await patch("plain", "GET")).faults).toEqual(["BODY_INVALID /data/exposedMethods"]);
    const unknown = await api.ask("PATCH", `/resources/${ids.plain}`, {
      exposedMethods: [],
      kind: 1,
    });
    expect(unknown.faults).toEqual(["BODY_INVALID /data/kind"]);
    const missing = await api.ask("PATCH", `/resources/${ids.plain}`, {});
    expect(missing.faults).toEqual(["BODY_INVALID /data/exposedMethods"]);
    expect(await api.traces()).toBe(before);
  });

  it("exposes a view and a table of the system schema for reading", async () => {
    expect((await patch("seen", ["GET"])).status).toBe(200);
    expect((await patch("users", ["GET"])).status).toBe(200);
  });
});
