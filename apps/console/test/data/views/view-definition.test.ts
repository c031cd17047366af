import { expect, it } from "vitest";
import { definitionOf, isUnchanged, searchOf } from "../../../src/data/views/view-definition.ts";
import { emptySearch } from "../../../src/records/rows/rows-address.ts";

const search = {
  ...emptySearch,
  where: { a: { _eq: 1 }, b: { _gt: 2 } },
  order_by: '-price,"a,b"',
  fields: 'plate,"a,b"',
  pinned: "plate",
  group: "make",
  search: "x",
};

it("a view has every part of its address but the open records", () => {
  const definition = definitionOf({ ...search, open: ["depot/table/vehicles/1"] });
  expect(searchOf({ id: "1", definition })).toEqual({ ...search, view: "1" });
});

it("an address is unchanged whatever the order of the filter's members", () => {
  const view = { id: "1", definition: definitionOf(search) };
  expect(isUnchanged({ ...search, where: { b: { _gt: 2 }, a: { _eq: 1 } } }, view)).toBe(true);
  expect(isUnchanged({ ...search, order_by: "price" }, view)).toBe(false);
});

it("parts of another form are left out", () => {
  const definition = { version: 1, where: [1], orderBy: 3, fields: [1, "plate"], search: null };
  expect(searchOf({ id: "1", definition })).toEqual({ ...emptySearch, fields: "plate", view: "1" });
});
