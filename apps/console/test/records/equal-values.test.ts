import { expect, it } from "vitest";
import { equalValues } from "../../src/records/rows/equal-values.ts";
import type { NavigationResource } from "../../src/shell/navigation.ts";

const columns = ["site", "sex", "born", "owner", "room_site", "room_no", "key one"].map((name) => ({
  name,
  creatable: true,
}));
const relations = [
  {
    name: "room",
    foreignKey: "OWN",
    columns: [
      { from: "room_site", to: "site" },
      { from: "room_no", to: "no" },
    ],
  },
  { name: "visits", foreignKey: "TARGET", columns: [{ from: "id", to: "site" }] },
];
const resource = {
  columns: [...columns, { name: "total", creatable: false }],
  relations,
} as unknown as NavigationResource;
const valuesOf = (where: Record<string, unknown>) => equalValues(where, resource, "me");

it.each([
  ["an equality", { site: { _eq: "N" } }, { site: "N" }],
  [
    "several in a conjunction",
    { _and: [{ site: { _eq: "N" } }, { _and: [{ sex: { _in: ["f"] } }] }] },
    { site: "N", sex: "f" },
  ],
  ["a quoted name", { '"key one"': { _eq: 0 } }, { "key one": 0 }],
  ["the person", { owner: { _eq: "$USER.id" } }, { owner: "me" }],
  [
    "a composite reference",
    { room: { site: { _eq: "N" }, no: { _eq: 3 } } },
    { room_site: "N", room_no: 3 },
  ],
  [
    "false and the empty text",
    { site: { _eq: "" }, sex: { _eq: false } },
    { site: "", sex: false },
  ],
  [
    "no other condition",
    { born: { _gt: "2000-01-01" }, site: { _neq: "N" }, sex: { _in: ["f", "m"] } },
    {},
  ],
  [
    "no alternative",
    { _or: [{ site: { _eq: "N" } }, { site: { _eq: "S" } }], _not: { sex: { _eq: "f" } } },
    {},
  ],
  ["no contradiction", { _and: [{ site: { _eq: "N" } }, { site: { _eq: "S" } }] }, {}],
  ["no variable of time", { born: { _eq: "$NOW" } }, {}],
  ["no null and no column that may not be set", { site: { _eq: null }, total: { _eq: 3 } }, {}],
  ["nothing of rows that refer to it", { visits: { site: { _eq: "N" } } }, {}],
])("a filter requires %s", (_name, where, values) => {
  expect(valuesOf(where)).toEqual(values);
});
