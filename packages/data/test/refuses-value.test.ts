import type { EffectiveGrant } from "@rowhouse/access";
import { parseFilter } from "@rowhouse/access";
import { createSnapshotStore, type Relation } from "@rowhouse/db";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusesValue } from "../src/index.ts";

let test: TestDatabase;
let relation: Relation;

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database.query(`create type public.state as enum ('NEW', 'OUT', 'LOST');
    create table public.cards (id int primary key, state public.state, paid boolean not null, owner uuid, box int, note text,
      states public.state[], flags boolean[])`);
  const { catalogue } = await createSnapshotStore(test.database).fresh();
  const found = catalogue.relationByName("public", "cards");
  if (found === undefined) throw new Error("The table is missing");
  relation = found;
});
afterAll(() => test.drop());

function grantOf(check: object | null, terms: Partial<EffectiveGrant> = {}): EffectiveGrant {
  const parsed =
    check === null
      ? null
      : parseFilter(check, {
          limits: { nodesMax: 50, depthMax: 8, listMax: 50 },
          pathOf: (segments) => segments.join("."),
          code: "BODY_INVALID",
          commaLists: false,
        });
  return { id: null, fields: null, filter: null, check: parsed, presets: new Map(), ...terms };
}

function isClosed(column: string, value: string | null, ...grants: EffectiveGrant[]): boolean {
  const found = relation.columnByName(column);
  if (found === undefined) throw new Error("The column is missing");
  return refusesValue(relation, grants, found, value);
}

describe("a value of a column", () => {
  it.each([
    [{ state: { _eq: "NEW" } }, ["NEW"]],
    [{ state: { _neq: "NEW" } }, ["OUT", "LOST"]],
    [{ state: { _in: ["NEW", "OUT"] } }, ["NEW", "OUT"]],
    [{ state: { _nin: ["NEW", "OUT"] } }, ["LOST"]],
    [{ state: { _null: true } }, [null]],
    [{ state: { _null: false } }, ["NEW", "OUT", "LOST"]],
    [{ _not: { state: { _eq: "NEW" } } }, ["OUT", "LOST"]],
    [{ _not: { _not: { state: { _eq: "NEW" } } } }, ["NEW"]],
    [{ _or: [{ state: { _eq: "NEW" } }, { state: { _eq: "OUT" } }] }, ["NEW", "OUT"]],
    [{ _and: [{ state: { _neq: "NEW" } }, { state: { _neq: "OUT" } }] }, ["LOST"]],
    [{ _or: [] }, []],
    [{ _and: [] }, ["NEW", "OUT", "LOST", null]],
    // Other columns, operators and variables may be true of some row.
    [{ state: { _eq: "NEW" }, note: { _eq: "x" } }, ["NEW"]],
    [{ _or: [{ state: { _eq: "NEW" } }, { note: { _eq: "x" } }] }, ["NEW", "OUT", "LOST", null]],
    [{ state: { _eq: "$USER.name" } }, ["NEW", "OUT", "LOST"]],
    [{ state: { _gt: "NEW" } }, ["NEW", "OUT", "LOST"]],
    [{ note: { _eq: "x" } }, ["NEW", "OUT", "LOST", null]],
  ] as const)("is open under the check %j exactly for %j", (check, open) => {
    const values = ["NEW", "OUT", "LOST", null];
    const expected: readonly (string | null)[] = open;
    const found = values.filter((value) => !isClosed("state", value, grantOf(check)));
    expect(found).toEqual(expected);
  });

  it("of an array is open unless its text is that of the check, because several texts are one array", () => {
    const among = grantOf({ states: { _in: [["OUT"], "{LOST}"] } });
    for (const value of ["{OUT}", '{"OUT"}', "{LOST}", "{ LOST }"]) {
      expect(isClosed("states", value, among)).toBe(false);
    }
    expect(isClosed("flags", "{f}", grantOf({ flags: { _neq: "{t}" } }))).toBe(false);
    expect(isClosed("flags", "{t}", grantOf({ flags: { _neq: "{t}" } }))).toBe(true);
  });

  it("is open if one grant accepts it, and closed if none covers the column", () => {
    const news = grantOf({ state: { _eq: "NEW" } });
    const outs = grantOf({ state: { _eq: "OUT" } });
    expect(isClosed("state", "OUT", news, outs)).toBe(false);
    expect(isClosed("state", "LOST", news, outs)).toBe(true);
    expect(isClosed("state", "NEW")).toBe(true);
    expect(isClosed("state", "NEW", grantOf(null, { fields: new Set(["note"]) }))).toBe(true);
    const preset = new Map([["state", { kind: "LITERAL", text: "NEW" } as const]]);
    expect(isClosed("state", "NEW", grantOf(null, { presets: preset }))).toBe(true);
    // A grant that does not cover the column does not help.
    const other = grantOf(null, { fields: new Set(["note"]) });
    expect(isClosed("state", "OUT", news, other)).toBe(true);
  });

  it("is compared as its type compares it, and null is closed for a required column", () => {
    const id = "3F2504E0-4F89-11D3-9A0C-0305E82C3301";
    expect(isClosed("owner", id.toLowerCase(), grantOf({ owner: { _eq: id } }))).toBe(false);
    expect(isClosed("box", "7", grantOf({ box: { _eq: "07" } }))).toBe(false);
    expect(isClosed("box", "8", grantOf({ box: { _eq: "07" } }))).toBe(true);
    expect(isClosed("paid", "true", grantOf({ paid: { _eq: "t" } }))).toBe(false);
    expect(isClosed("paid", "false", grantOf({ paid: { _eq: true } }))).toBe(true);
    expect(isClosed("paid", null, grantOf(null))).toBe(true);
    expect(isClosed("state", null, grantOf(null))).toBe(false);
    // Only PostgreSQL knows whether two texts are equal under a collation.
    expect(isClosed("note", "a", grantOf({ note: { _eq: "A" } }))).toBe(false);
  });
});
