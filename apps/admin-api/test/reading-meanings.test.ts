// Tiers: usual, topologies.
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Filters that are read later, by people who did not write them.

let api: TestEnvironment;
let ann: TestUser;
let roleId: string;
let resourceId: string;
let number = 0;

const run = (sql: string) =>
  api.test.database.query<Record<string, string>>(sql.replaceAll("$t", `desk.t${number}`));

beforeAll(async () => {
  api = await openTestEnvironment();
  await run(
    "create extension citext; create schema desk; insert into system.roles (name) values ('Readers')",
  );
  ann = await createUser(api.test.database, "ann@example.com", "Readers");
  const [role] = await run("select id from system.roles where name = 'Readers'");
  roleId = role?.id ?? "";
});
afterAll(() => api.test.drop());

beforeEach(async () => {
  number += 1;
  await run(`create type $t_state as enum ('open', 'closed')`);
  await run("create table $t (id int primary key, lvl int, note varchar(20), st $t_state)");
  await run(`insert into $t select n, n, 'n' || n, case when n < 3 then 'open' else 'closed' end::$t_state
    from generate_series(1, 12) n`);
  await expose(api.test.database, "desk", `t${number}`, "GET");
  const [found] = await run(
    `select id from system.resources where schema_name = 'desk' and relation_name = 't${number}'`,
  );
  resourceId = found?.id ?? "";
  const read = await api.ask("POST", "/grants", { roleId, resourceId, action: "READ" });
  expect(read.faults).toEqual([]);
});

interface Kind {
  /** Stores a filter, and returns the path of the record in its API. */
  readonly save: (where: object) => Promise<string>;
  /** Sends the filter again. */
  readonly again: (path: string, where: object) => Promise<{ readonly status: number }>;
  /** The ids of the rows that a reader receives, or the code and the message of the refusal. */
  readonly read: (path: string) => Promise<unknown>;
}

const panelOf = (where: object) => ({
  id: "list",
  kind: "LIST",
  resourceId,
  definition: { fields: ["id"], where, orderBy: ["id"] },
});

const kinds: Readonly<Record<string, Kind>> = {
  DataView: {
    save: async (where) => {
      const body = { name: `V${number}`, resourceId, where, orderBy: ["id"], roleIds: [roleId] };
      const made = await api.ask("POST", "/data-views", body);
      expect(made.faults).toEqual([]);
      return `/data-views/${made.body.data.id}`;
    },
    again: (path, where) => api.ask("PATCH", path, { where }),
    read: async (path) => {
      const { status, body } = await api.app(path, ann.secret);
      return status === 200 ? idsOf(body.data.rows) : refusalOf(body.errors[0]);
    },
  },
  panel: {
    save: async (where) => {
      const body = { name: `D${number}`, panels: [panelOf(where)], roleIds: [roleId] };
      const made = await api.ask("POST", "/dashboards", body);
      expect(made.faults).toEqual([]);
      return `/dashboards/${made.body.data.id}`;
    },
    again: (path, where) => api.ask("PATCH", path, { panels: [panelOf(where)] }),
    read: async (path) => {
      const [{ rows, error }] = (await api.app(path, ann.secret)).body.data.panels;
      const behind = await api.app(`${path}/panels/list/rows`, ann.secret);
      expect(behind.status).toBe(error === undefined ? 200 : 400);
      return error === undefined ? idsOf(rows) : refusalOf(error);
    },
  },
};

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).join();
const refusalOf = ({ code, message }: { code: string; message: string }) => `${code}: ${message}`;
const lostOf = async (path: string) => (await api.ask("GET", path)).body.data.lost;
const refused = /^VALUE_INVALID: A stored filter of this was written for another type/;

describe.each(Object.entries(kinds))("the filter of a stored %s", (name, kind) => {
  const within = (field: string, reason: string) =>
    name === "panel" ? [{ panel: "list", field, reason }] : [{ field, reason }];

  it("is never read as a filter on another type, and reads again once it is saved again", async () => {
    const path = await kind.save({ lvl: { _lt: 5 } });
    expect(await kind.read(path)).toBe("1,2,3,4");
    expect(await lostOf(path)).toEqual([]);
    await run("alter table $t alter lvl type text using lvl::text");
    expect(await kind.read(path)).toMatch(refused);
    expect(await lostOf(path)).toEqual(within("lvl", "TYPE"));
    // Another name does not give it another meaning.
    expect((await api.ask("PATCH", path, { name: `Other ${number}` })).status).toBe(200);
    expect(await kind.read(path)).toMatch(refused);
    expect((await kind.again(path, { lvl: { _lt: "5" } })).status).toBe(200);
    expect(await kind.read(path)).toBe("1,2,3,4,10,11,12");
    expect(await lostOf(path)).toEqual([]);
  });

  it.each([
    ["citext", { note: { _eq: "n1" } }, "alter table $t alter note type citext", "TYPE"],
    [
      "a collation",
      { note: { _lt: "n3" } },
      'alter table $t alter note type varchar(20) collate "C"',
      "COLLATION",
    ],
    ["a pattern", { note: { _like: "n1%" } }, "alter table $t alter note type text", "TYPE"],
    [
      "a negation",
      { _not: { lvl: { _gt: 5 } } },
      "alter table $t alter lvl type numeric using lvl::numeric",
      "TYPE",
    ],
  ])("is refused after %s", async (_case, where, change, reason) => {
    const path = await kind.save(where);
    await run(change);
    expect(await kind.read(path)).toMatch(refused);
    expect(await lostOf(path)).toEqual(
      within("lvl" in where || "_not" in where ? "lvl" : "note", reason),
    );
  });

  it("stays for a wider number, a wider text, a renamed column and a renamed label", async () => {
    const path = await kind.save({ lvl: { _lt: 5 }, note: { _neq: "n3" }, st: { _eq: "open" } });
    expect(await kind.read(path)).toBe("1,2");
    await run(`alter table $t alter lvl type bigint, alter note type text`);
    await run("alter table $t rename lvl to level");
    await run(`alter type $t_state rename value 'open' to 'opened'`);
    expect(await kind.read(path)).toBe("1,2");
    const { data } = (await api.ask("GET", path)).body;
    expect(JSON.stringify(data)).toContain('"level":{"_lt":5}');
    expect(JSON.stringify(data)).toContain('{"_eq":"opened"}');
    // A change of the name stores the filter for the present labels; a label that takes the old name changes nothing.
    expect((await api.ask("PATCH", path, { name: `Renamed ${number}` })).status).toBe(200);
    await run(`alter type $t_state rename value 'closed' to 'open'`);
    expect(await kind.read(path)).toBe("1,2");
  });
});

describe("a condition on groups, and a bound parameter", () => {
  const open = async (panel: object, parameters: readonly object[] = []) => {
    const body = { name: `G${number}`, panels: [panel], parameters, roleIds: [roleId] };
    const made = await api.ask("POST", "/dashboards", body);
    expect(made.faults).toEqual([]);
    const path = `/dashboards/${made.body.data.id}`;
    return async () => (await api.app(path, ann.secret)).body.data.panels[0].error?.message;
  };

  it("are not read for another type", async () => {
    const figure = await open({
      ...{ id: "a", kind: "CHART", resourceId },
      definition: { groupBy: ["st"], aggregate: ["max(lvl)"], having: { max_lvl: { _gt: 5 } } },
    });
    const bound = await open({ ...panelOf({}), bindings: [{ parameter: "level", field: "lvl" }] }, [
      { name: "level", label: "Level", kind: "VALUE", resourceId, field: "lvl", default: 5 },
    ]);
    expect([await figure(), await bound()]).toEqual([undefined, undefined]);
    await run("alter table $t alter lvl type text using lvl::text");
    for (const read of [figure, bound]) expect(await read()).toMatch(/another type of a column/);
  });
});

describe("the filter of a saved view", () => {
  const save = async (where: object): Promise<string> => {
    const body = { resourceId, name: `S${number}`, definition: { version: 1, where } };
    const made = await api.changeApp("POST", "/saved-views", ann.secret, body);
    expect(made.status).toBe(201);
    return `/saved-views/${made.body.data.id}`;
  };
  const read = async (path: string) => (await api.app(path, ann.secret)).body.data;

  it("is marked after a change of its column, until it is saved again", async () => {
    const path = await save({ lvl: { _lt: 5 }, st: { _eq: "open" } });
    expect((await read(path)).lost).toEqual([]);
    await run(`alter type $t_state rename value 'open' to 'opened'`);
    expect(await read(path)).toMatchObject({
      definition: { where: { lvl: { _lt: 5 }, st: { _eq: "opened" } } },
      lost: [],
    });
    await run("alter table $t alter lvl type text using lvl::text");
    expect((await read(path)).lost).toEqual([{ field: "lvl", reason: "TYPE" }]);
    await api.changeApp("PATCH", path, ann.secret, { name: "Other" });
    expect((await read(path)).lost).toHaveLength(1);
    const definition = { version: 1, where: { lvl: { _lt: "5" } } };
    await api.changeApp("PATCH", path, ann.secret, { definition });
    expect((await read(path)).lost).toEqual([]);
  });
});

describe("a preview of a changed type", () => {
  it("names the grants that allow nothing, and what is built on the column", async () => {
    const grant = { roleId, resourceId, action: "UPDATE", rowFilter: { lvl: { _lt: 5 } } };
    expect((await api.ask("POST", "/grants", grant)).faults).toEqual([]);
    await kinds.DataView?.save({ lvl: { _lt: 5 } });
    const change = { kind: "changeColumn", column: "lvl" };
    const preview = async (dataType: string) =>
      (
        await api.ask("POST", `/schema/desk/tables/t${number}/preview`, {
          changes: [{ ...change, dataType }],
        })
      ).body.data;
    const { losses, confirmations } = await preview("numeric");
    expect(losses).toContainEqual(
      expect.objectContaining({ object: "grant", name: "Readers: UPDATE" }),
    );
    expect(losses).toContainEqual(
      expect.objectContaining({
        object: "DataView",
        note: expect.stringContaining("until it is saved again"),
      }),
    );
    expect(confirmations).toHaveLength(1);
    const wider = await preview("bigint");
    expect(wider.confirmations).toEqual([]);
    expect(JSON.stringify(wider.losses)).not.toContain("saved again");
  });
});
