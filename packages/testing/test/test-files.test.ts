import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { filesOf, readTestFiles, tiersIn } from "../src/run/durations.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const files = readTestFiles(root);

it("a test file without a line of tiers is in the usual tier alone", () => {
  expect(tiersIn("import { expect } from 'vitest';\n", "a.test.ts")).toEqual(["usual"]);
  expect(tiersIn("// Tiers: all, topologies. Starts processes.\n", "a.test.ts")).toEqual([
    "all",
    "topologies",
  ]);
});

it("a first line with an unknown tier is rejected", () => {
  expect(() => tiersIn("// Tier: topology.\n", "a.test.ts")).toThrow(
    "a.test.ts: topology is not a tier",
  );
});

it("the CI runs every test file that is not in the long tier", () => {
  const ci = filesOf(files, "ci");
  const rest = files.filter((file) => !ci.includes(file));
  expect(rest.length).toBeGreaterThan(0);
  expect(rest.filter(({ tiers }) => !tiers.includes("long"))).toEqual([]);
});

it("each test file of the tier of topologies starts a service whose topology can be chosen", () => {
  const chosen = filesOf(files, "topologies").map(({ path }) => path);
  expect(chosen.length).toBeGreaterThan(40);
  expect(chosen.filter((path) => !startsTestEnvironment(path))).toEqual([]);
});

/** Returns whether a test file, or a file of its own folder that it imports, calls `startTestEnvironment()`. */
function startsTestEnvironment(path: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(path) || !existsSync(join(root, path))) return false;
  seen.add(path);
  const text = readFileSync(join(root, path), "utf8");
  if (text.includes("startTestEnvironment(")) return true;
  return [...text.matchAll(/from "(\.\/[^"]+)"/g)].some(([, name = ""]) =>
    startsTestEnvironment(join(dirname(path), name), seen),
  );
}
