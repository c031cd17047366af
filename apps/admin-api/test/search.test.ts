// Tiers: usual, topologies.
import { createUser, expose, loadClinic, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let north: TestUser;
let all: TestUser;
const ids: Record<string, string> = {};
const roles: Record<string, string> = {};

const grant = (role: string, table: string, terms: object = {}) =>
  environment.ask("POST", "/grants", {
    ...{ roleId: roles[role], resourceId: ids[table], action: "READ", fields: null },
    ...terms,
  });

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await loadClinic(database);
  for (const name of [
    "patient",
    "vaccination",
    "vaccine",
    "staff",
    "site",
    "invoice",
    "room",
    "allergy",
  ]) {
    await expose(database, "clinic", name, "GET");
  }
  for (const { name, id } of await database.query<{ name: string; id: string }>(
    "select relation_name as name, id from system.resources where schema_name = 'clinic'",
  )) {
    ids[name] = id;
  }
  for (const { name, id } of await database.query<{ name: string; id: string }>(
    "insert into system.roles (name) values ('North'), ('All') returning name, id",
  )) {
    roles[name] = id;
  }
  north = await createUser(database, "north@example.com", "North");
  all = await createUser(database, "all@example.com", "All");
  const done = [
    await grant("All", "patient"),
    await grant("All", "staff"),
    await grant("All", "vaccination"),
    await grant("All", "vaccine"),
    await grant("All", "site"),
    await grant("North", "patient", { rowFilter: { home_site: { _eq: "NORD" } } }),
    await grant("North", "staff", { fields: ["id", "position"] }),
    await grant("North", "vaccination"),
  ];
  expect(done.map(({ status }) => status)).toEqual(done.map(() => 201));
});
afterAll(() => environment.test.drop());

interface Found {
  readonly resource: { readonly name: string };
  readonly key: readonly string[];
  readonly title: string;
}

const search = async (user: TestUser, q: string) => {
  const { status, body } = await environment.app(`/search?q=${encodeURIComponent(q)}`, user.secret);
  expect(status).toBe(200);
  return body as {
    readonly data: readonly Found[];
    readonly meta: {
      readonly searched: readonly Found["resource"][];
      readonly unanswered: readonly Found["resource"][];
    };
  };
};
const titles = async (user: TestUser, q: string) =>
  (await search(user, q)).data.map(({ resource, key, title }) => [
    resource.name,
    key.join(),
    title,
  ]);

describe("the search for rows", () => {
  it("finds rows by every word of their titles in any order, also by the rows that they name", async () => {
    expect(await titles(all, "novak LEA")).toEqual([
      ["patient", "1", "Lea Novak"],
      ["vaccination", expect.any(String), expect.stringContaining("Lea Novak")],
      ["vaccination", expect.any(String), expect.stringContaining("Lea Novak")],
    ]);
    expect(await titles(all, "novak nobody")).toEqual([]);
    // A pattern is text.
    expect(await titles(all, "%")).toEqual([]);
    expect(await titles(all, "$USER.id")).toEqual([]);
  });

  it("finds what its reader may read, from the next request on", async () => {
    // Patients of another site have no names for this reader, neither do vaccinations have theirs.
    expect(await titles(north, "novak")).toEqual([]);
    const weber = await titles(north, "weber");
    expect(weber.filter(([table]) => table === "patient")).toEqual([["patient", "3", "Jan Weber"]]);
    // A title of other columns is searched where the reader may not read the names.
    expect(await titles(north, "brandt")).toEqual([]);
    const added = await grant("North", "site");
    expect(await titles(north, "kiel")).toEqual([]);
    expect(await titles(north, "clinic north")).toHaveLength(1);
    const { id } = added.body.data as { readonly id: string };
    expect((await environment.ask("DELETE", `/grants/${id}`)).status).toBe(204);
    expect(await titles(north, "clinic north")).toEqual([]);
    const { meta } = await search(north, "clinic north");
    expect(meta.searched.map(({ name }) => name)).not.toContain("site");
  });

  it("reads at most five tables, those first that its person opened last", async () => {
    for (const name of ["invoice", "room", "allergy"]) await grant("All", name);
    const recent = ["staff", "allergy"].map((name) => ({
      ...{ kind: "resource", id: ids[name], openedAt: "2026-11-01T00:00:00Z" },
    }));
    const home = { recent };
    const patched = await environment.changeApp("PATCH", "/preferences", all.secret, { home });
    expect(patched.status).toBe(200);
    const { meta } = await search(all, "latex");
    const names = meta.searched.map(({ name }) => name);
    expect(names).toHaveLength(5);
    expect(names.slice(0, 2)).toEqual(["staff", "allergy"]);
    expect(await titles(all, "latex")).toEqual([
      ["allergy", "LTX", expect.stringContaining("Latex")],
    ]);
  });

  it("names a table that takes too long, and answers with the others", async () => {
    const { database } = environment.test;
    await database.transaction(async (transaction) => {
      await transaction.query("lock table clinic.patient in access exclusive mode");
      const { data, meta } = await search(all, "latex");
      expect(meta.unanswered.map(({ name }) => name)).toContain("patient");
      expect(data.map(({ key }) => key)).toContainEqual(["LTX"]);
    });
    expect((await search(all, "novak")).meta.unanswered).toEqual([]);
  });

  it.each(["", "   ", "x".repeat(201)])("refuses the text %j", async (q) => {
    const { status, body } = await environment.app(
      `/search?q=${encodeURIComponent(q)}`,
      all.secret,
    );
    expect([status, body.errors[0].code]).toEqual([400, "QUERY_INVALID"]);
  });
});
