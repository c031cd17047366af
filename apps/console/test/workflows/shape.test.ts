import { expect, it } from "vitest";
import { splitList } from "../../src/workflows/form/columns-text.ts";
import { openPlaceholder, pathAtEnd, type Shape, shapeAt } from "../../src/workflows/form/shape.ts";

it("the path before the cursor of a template has its keys, in dots, brackets and quotes", () => {
  const pathOf = (text: string) => {
    const inside = openPlaceholder(text);
    return inside === undefined ? undefined : pathAtEnd(inside, "TEMPLATE");
  };
  expect(pathOf("Trip {{start.data.bo")).toEqual({ keys: ["start", "data"], typed: "bo" });
  expect(pathOf("{{ steps.my-step.0.")).toEqual({ keys: ["steps", "my-step", "0"], typed: "" });
  expect(pathOf('{{vars["a name"].x')).toEqual({ keys: ["vars", "a name"], typed: "x" });
  expect(pathOf('"plate": "{{vars[\\"a name\\"].x')).toEqual({
    keys: ["vars", "a name"],
    typed: "x",
  });
  expect(pathOf("{{")).toEqual({ keys: [], typed: "" });
  expect(pathOf("{{a}} {{b.c}} {{ite")).toEqual({ keys: [], typed: "ite" });
  expect(pathOf("{{a.b}} and")).toBeUndefined();
  expect(pathOf("{{a.b ?? de")).toBeUndefined();
  expect(pathOf("no template")).toBeUndefined();
});

it("the path before the cursor of a condition ends at operators and quotes", () => {
  const pathOf = (text: string) => pathAtEnd(text, "CEL");
  expect(pathOf("size(steps.vehicle.")).toEqual({ keys: ["steps", "vehicle"], typed: "" });
  expect(pathOf('steps["my-step"][0].pl')).toEqual({
    keys: ["steps", "my-step", "0"],
    typed: "pl",
  });
  expect(pathOf("a.b == st")).toEqual({ keys: [], typed: "st" });
  expect(pathOf('a == "st')).toBeUndefined();
  expect(pathOf("5.")).toBeUndefined();
});

it("a shape is found by own names and positions only", () => {
  const text: Shape = { type: "string" };
  const shape: Shape = {
    type: "object",
    properties: { list: { type: "array", items: { type: "object", properties: { a: text } } } },
  };
  expect(shapeAt(shape, ["list", "7", "a"])).toBe(text);
  expect(shapeAt(shape, ["list", "a"])).toBeUndefined();
  expect(shapeAt(shape, ["constructor"])).toBeUndefined();
  expect(shapeAt(shape, [])).toBe(shape);
});

it("a list of columns is divided at commas outside of quotes and parentheses", () => {
  expect(splitList('id,"a,b", sum(x,y),')).toEqual(["id", '"a,b"', " sum(x,y)"]);
  expect(splitList("")).toEqual([]);
});
