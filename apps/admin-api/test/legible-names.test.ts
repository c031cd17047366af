import { expose } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let resourceId = "";
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query("create table public.cars (id int primary key)");
  await expose(api.test.database, "public", "cars", "GET");
  const { data } = (await api.ask("GET", "/resources?search=cars")).body;
  resourceId = data[0].id;
});
afterAll(() => api.test.drop());

const definition = {
  trigger: { kind: "webhook", access: "AUTHENTICATED" },
  steps: [{ id: "end", kind: "finish" }],
};
const provider = { kind: "google", clientId: "id", clientSecret: "secret" };
/** What has a name, by the path of its records: the fields of a new one, and the table that stores it. */
type Named = readonly [path: string, fields: () => object, table: string, field: "name" | "title"];
const named: readonly Named[] = [
  ["/roles", () => ({}), "roles", "name"],
  ["/data-views", () => ({ resourceId }), "data_views", "name"],
  ["/dashboards", () => ({}), "dashboards", "name"],
  ["/workflows", () => ({ slug: "legible", definition }), "workflows", "name"],
  ["/auth-providers", () => ({ ...provider, key: "legible" }), "auth_providers", "name"],
  ["/users", () => ({ email: "legible@example.com" }), "users", "name"],
  [
    "/templates",
    () => ({
      kind: "DOCUMENT",
      key: "legible",
      language: "en",
      format: "TEXT",
      source: "x",
      sample: {},
    }),
    "templates",
    "title",
  ],
];
/** Control, direction and zero-width characters, a separator, and names that look empty. */
const illegible = [
  ...["Zeta\u001b[4A", "a\u0085b", "\u202etxt.exe", "a\u2066b", "a\u061cb", "a\u200bb", "a\ufeffb"],
  ...["a\u2028b", "\u3164", "\u2800 \u2800", "\u00ad", "a\u{e0041}"],
];

describe("a name that people cannot read", () => {
  it.each(named)(
    "is refused at its pointer in %s, and kept where it is stored already",
    async (path, fieldsOf, table, field) => {
      for (const name of illegible) {
        const { status, faults } = await api.ask("POST", path, { ...fieldsOf(), [field]: name });
        expect([name, status, faults]).toEqual([
          name,
          400,
          [expect.stringMatching(`^BODY_INVALID /data/${field}$`)],
        ]);
      }
      const created = await api.ask("POST", path, { ...fieldsOf(), [field]: "می‌خواهم 👩‍🔧" });
      expect(created.faults).toEqual([]);
      const { id } = created.body.data;
      const one = `${path}/${id}`;
      const refused = await api.ask("PATCH", one, { [field]: "a\u202eb" });
      expect([refused.status, refused.faults]).toEqual([400, [`BODY_INVALID /data/${field}`]]);
      const column = field === "title" ? "subject" : "name";
      await api.test.database.query(
        `update system.${table} set ${column} = $2 where id = $1::uuid`,
        [id, "a\u202eb"],
      );
      expect((await api.ask("GET", one)).body.data[field]).toBe("a\u202eb");
      expect((await api.ask("PATCH", one, { [field]: "a\u202eb" })).faults).toEqual([]);
      expect((await api.ask("PATCH", one, { [field]: "Plain" })).faults).toEqual([]);
      // Users are deactivated instead.
      if (path !== "/users") expect((await api.ask("DELETE", one)).status).toBe(204);
    },
  );

  it("is refused as the label of a table", async () => {
    const { faults } = await api.ask("PATCH", `/resources/${resourceId}`, { label: "a\u202eb" });
    expect(faults).toEqual(["BODY_INVALID /data/label"]);
  });
});
