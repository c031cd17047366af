import { expect, it } from "vitest";
import { qualifiedName } from "../../src/shell/mentioned-tables.ts";

it("a name is quoted only where PostgreSQL needs it", () => {
  expect(qualifiedName("fleet", "vehicles_2")).toBe("fleet.vehicles_2");
  expect(qualifiedName("order", "user")).toBe('"order".user');
  expect(qualifiedName("Fleet", 'a "b"')).toBe('"Fleet"."a ""b"""');
  expect(qualifiedName("fleet", "2nd")).toBe('fleet."2nd"');
});
