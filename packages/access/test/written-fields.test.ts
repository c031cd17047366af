import { describe, expect, it } from "vitest";
import { renameWrittenFields } from "../src/index.ts";

const names = new Map([
  ["price", "cost"],
  ["driver.name", "driver.full_name"],
  ["trips.status", "trips.state"],
  ["a", "b"],
  ["b", "a"],
  ["plain", "x,y"],
]);
const rename = (filter: unknown) => renameWrittenFields(filter, (path) => names.get(path) ?? path);

describe("a rename of the fields of a filter", () => {
  it("reaches every place that can name a field, and leaves values and operators alone", () => {
    expect(
      rename({
        price: { _gt: 1, _lt: 9 },
        _or: [{ "driver.name": { _eq: "price" } }, { _not: { driver: { name: { _null: true } } } }],
        trips: { _some: { status: { _eq: "price" }, price: { _eq: 1 } } },
        note: { _path: { "price.x": { _eq: 1 }, y: { _gt: "$FIELD.price" } } },
        weight: { _eq: "$FIELD.price", _neq: "$$FIELD.price", _like: "$FIELD.price" },
        owner: { since: { _between: ["$FIELD.driver.name", "$FIELD.plain"] } },
        rides: { _some: { end: { _gt: "$FIELD.price" } } },
      }),
    ).toEqual({
      cost: { _gt: 1, _lt: 9 },
      _or: [
        { "driver.full_name": { _eq: "price" } },
        { _not: { driver: { full_name: { _null: true } } } },
      ],
      trips: { _some: { state: { _eq: "price" }, price: { _eq: 1 } } },
      note: { _path: { "price.x": { _eq: 1 }, y: { _gt: "$FIELD.cost" } } },
      weight: { _eq: "$FIELD.cost", _neq: "$$FIELD.price", _like: "$FIELD.price" },
      owner: { since: { _between: ["$FIELD.driver.full_name", '$FIELD."x,y"'] } },
      rides: { _some: { end: { _gt: "$FIELD.price" } } },
    });
  });

  it("exchanges two names at once", () => {
    expect(rename({ a: { _eq: 1 }, b: { _eq: 2 } })).toEqual({ b: { _eq: 1 }, a: { _eq: 2 } });
  });

  it("renames a column and keeps the relation of its name", () => {
    expect(rename({ price: { _eq: 1, name: { _eq: "x" } } })).toEqual({
      cost: { _eq: 1 },
      price: { name: { _eq: "x" } },
    });
  });

  it("writes a name with separators in quotes, and keeps both conditions if two names become one", () => {
    expect(rename({ plain: { _eq: 1 } })).toEqual({ '"x,y"': { _eq: 1 } });
    expect(rename({ price: { _eq: 1 }, cost: { _eq: 2 } })).toEqual({
      _and: [{ cost: { _eq: 1 } }, { cost: { _eq: 2 } }],
    });
  });

  it("returns what is no filter as it is", () => {
    for (const input of [null, 1, "price", [], { price: 1 }, { _and: 1 }]) {
      expect(rename(input)).toEqual(input);
    }
  });
});
