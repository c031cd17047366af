// Tier: all. Starts a database for its cases.
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Files } from "../src/index.ts";
import { type Configurator, createConfigurator, faultsOf, root } from "./configuration.ts";

let test: TestDatabase;
let own: Configurator;
beforeAll(async () => {
  test = await createTestDatabase();
  own = await createConfigurator(test);
  await own.set({
    ...root("tables"),
    "tables/fleet/trips.yaml": "columns:\n  id: { type: bigint }\n  note: { type: text }\n",
  });
});
afterAll(() => test.drop());

const view = (query: string): Files => ({
  ...root("views"),
  "views/fleet/all.yaml": "exposed: [GET]\n",
  "views/fleet/all.sql": query,
});
const at = "views/fleet/all.sql";

describe("a fault of a SELECT stands in its file, at the line and column that its author wrote", () => {
  it.each([
    [
      "a column that does not exist",
      "select id,\n  t . missing\nfrom fleet.trips t\n",
      [`EXPRESSION_INVALID ${at}:2:3 This column does not exist, near t.missing`],
    ],
    [
      "one of two columns of the same name",
      "select id, 'nope', \"id\",\n       Nope from fleet.trips\n",
      [`EXPRESSION_INVALID ${at}:2:8 This column does not exist, near nope`],
    ],
    [
      "a syntax error behind characters of several bytes",
      "select 'ä𝄞' as a,\n  'ö' as b,, 1\n",
      [`EXPRESSION_INVALID ${at}:2:12 This is not a valid SQL definition`],
    ],
    [
      "a table that does not exist",
      "select 'ö' as o, x.id\n  from fleet.planes x\n",
      [`EXPRESSION_INVALID ${at}:2:8 The table or view fleet.planes does not exist`],
    ],
    [
      "a function that is not allowed",
      "select id,\n pg_sleep(1) from fleet.trips\n",
      [
        `EXPRESSION_INVALID ${at}:2:2 The function pg_sleep is not allowed in a view; qualify a function of your own with its schema`,
      ],
    ],
    [
      "a type that does not exist",
      "select id\n  ::fleet.state from fleet.trips\n",
      [`VALUE_INVALID ${at}:2:5 This type does not exist`],
    ],
    [
      "a comment",
      "select id\n  from fleet.trips -- all\n",
      [`EXPRESSION_INVALID ${at}:2:20 The definition cannot contain a comment`],
    ],
    [
      "a value that does not fit its type",
      "select id,\n  'x'::bigint as x from fleet.trips\n",
      [`EXPRESSION_INVALID ${at}:2:3 A constant does not fit its type, near 'x'`],
    ],
  ])("%s", async (_, query, faults) => {
    expect(await faultsOf(own.plan(view(query)))).toEqual(faults);
  });
});

describe("a fault of a template stands in its file, at Liquid's line and column", () => {
  it("of a document", async () => {
    const files = {
      ...root("templates"),
      "templates/letter.en.yaml": "kind: DOCUMENT\ntitle: Letter\nformat: TEXT\n",
      "templates/letter.en.liquid": "Dear\n  {{ name | shout }}\n",
    };
    expect(await faultsOf(own.plan(files))).toEqual([
      "VALUE_INVALID templates/letter.en.liquid:2:3 Cannot be rendered: undefined filter: shout, line:2, col:3",
    ]);
  });

  it("of a mail", async () => {
    const files = {
      ...root("templates"),
      "templates/auth.invite.de.yaml": "kind: MAIL\nsubject: Hallo\n",
      "templates/auth.invite.de.text.liquid": "Hallo\n\n{% if x %}{{ link }}\n",
    };
    expect(await faultsOf(own.plan(files))).toEqual([
      "VALUE_INVALID templates/auth.invite.de.text.liquid:3:1 Cannot be rendered: tag {% if x %} not closed, line:3, col:1",
    ]);
  });
});

describe("a fault of a renamed record stands at renamedFrom", () => {
  it("of a role whose former name still has a document, and of a table", async () => {
    await test.database.query("insert into system.roles (name) values ('Old'), ('New')");
    const roles = { ...root("roles"), "roles/New.yaml": "apiAccess: true\nrenamedFrom: Old\n" };
    expect(await faultsOf(own.plan(roles))).toEqual([
      "VALUE_INVALID roles/New.yaml:2:14 Old and this role both exist; drop one of them, or remove renamedFrom",
    ]);
    await test.database.query(
      "create table fleet.taken (id int); create type fleet.held as (a int)",
    );
    const tables = {
      ...root("tables"),
      "tables/fleet/held.yaml":
        "columns:\n  id: { type: bigint }\n  note: { type: text }\nrenamedFrom: fleet.trips\n",
      "tables/fleet/taken.yaml": "columns:\n  id: { type: integer }\n",
    };
    expect(await faultsOf(own.plan(tables))).toEqual([
      expect.stringMatching(/^CONFLICT tables\/fleet\/held.yaml:4:14 /),
    ]);
  });
});
