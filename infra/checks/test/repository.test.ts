import { join } from "node:path";
import { expect, it } from "vitest";
import { checkStructure } from "../src/check-structure.ts";

it("the repository has no upward import, no import cycle, no oversized file, no private word and no unpinned download", () => {
  const { faults, packages } = checkStructure(join(import.meta.dirname, "../../.."));
  expect(faults).toEqual([]);
  expect(packages.length).toBeGreaterThan(20);
});
