// Tier: long. Checks hundreds of expressions; those with a look-ahead or a back reference are beyond the checker.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import { expect, it } from "vitest";
import { regularExpressionsIn } from "../src/read/source-file.ts";

const root = join(import.meta.dirname, "../../..");

/** Expressions that are slow for long texts only, with the reason why none of their texts is long. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    String.raw`/^[^@\s\p{C}]+@[^@\s\p{C}]+\.[^@\s\p{C}]+$/u`,
    "an address of at most 254 characters",
  ],
  ["/[1-9][0-9]*$/", "a name of PostgreSQL"],
  [String.raw`/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g`, "valid JSON, in which each text has an end"],
]);

/** The pages run in the browser of the person who types, and the tests read texts of their own. */
const isOfServer = (path: string): boolean =>
  /^(?:apps|packages)\/[^/]+\/src\/.*\.ts$/.test(path) &&
  !/^(?:apps\/console|packages\/testing)\//.test(path);

it("every regular expression of the server takes a time in proportion to its text", () => {
  const paths = ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path}`,
    ),
  );
  const expressions = new Set(
    paths
      .filter(isOfServer)
      .flatMap((path) => regularExpressionsIn(path, readFileSync(join(root, path), "utf8"))),
  );
  expect(expressions.size).toBeGreaterThan(200);
  const slow = [...expressions].filter((written) => {
    const end = written.lastIndexOf("/");
    const { status } = checkSync(written.slice(1, end), written.slice(end + 1), {
      checker: "automaton",
    });
    return status === "vulnerable";
  });
  expect(slow.filter((written) => !exceptions.has(written))).toEqual([]);
  expect([...exceptions.keys()].filter((written) => !slow.includes(written))).toEqual([]);
}, 300_000);
