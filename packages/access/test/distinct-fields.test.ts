import { describe, expect, it } from "vitest";
import { distinctFields } from "../src/index.ts";

const terms = (...paths: readonly (readonly string[])[]) =>
  distinctFields(paths).map(({ term }) => term);

describe("fields that are read beside each other", () => {
  it("keep their names while no relation has the name of another field", () => {
    expect(terms(["id"], ["driver_id"], ["driver", "name"], ["driver", "city", "name"])).toEqual([
      "id",
      "driver_id",
      "driver.name",
      "driver.city.name",
    ]);
  });

  it("have an alias for a relation with the name of a field, at any depth", () => {
    const paths = [["boss"], ["boss", "name"], ["boss", "boss"], ["boss", "boss", "name"]];
    expect(distinctFields(paths)).toEqual([
      { term: "boss", members: ["boss"] },
      { term: "boss_row:boss.name", members: ["boss_row", "name"] },
      { term: "boss_row:boss.boss", members: ["boss_row", "boss"] },
      { term: "boss_row:boss.boss_row:boss.name", members: ["boss_row", "boss_row", "name"] },
    ]);
  });

  it("never share an alias with a field or a relation of the list", () => {
    expect(terms(["a"], ["a", "x"], ["a_row"], ["a_row_", "y"])).toEqual([
      "a",
      "a_row__:a.x",
      "a_row",
      "a_row_.y",
    ]);
  });

  it("distinguish a name with a dot from a path, and write what needs quotes", () => {
    expect(terms(["a"], ["a.b"])).toEqual(["a", "a.b"]);
    expect(terms(["_a"], ["_a", "x,y"])).toEqual(['"_a"', '"_a_row":"_a"."x,y"']);
  });
});
