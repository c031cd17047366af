import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { kindFacts } from "../src/kinds/kinds.generated.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Operations of the Admin API that no page calls by the client, each with the reason. */
const uncalled: readonly (readonly [operations: RegExp, reason: string])[] = [
  [/^GET \/resources\/\{id\}\/columns\/\{column\}$/, "the list of columns has it"],
  [/^PATCH \/resources\/\{id\}\/columns\/\{column\}$/, "pages save a table with its columns"],
  [/^GET \/invitations\/\{id\}$/, "the list of invitations has it"],
  [/^GET \/(?:workflow|provider)-secrets\/\{name\}$/, "the list of secrets has it"],
  [/^PATCH \/workflows\/\{id\}\/samples\/\{sampleId\}$/, "pages save and delete samples"],
  [/^GET \/configuration\/schemas$/, "the command rowhouse calls them"],
  [/^GET \/workflows\/\{id\}\/examples\/\{stepId\}$/, "a test shows the outputs of its steps"],
];

/** The operations of the client's types, which a test compares with the document of the service. */
async function operations(): Promise<string[]> {
  const text = await readFile(
    `${root}packages/client/src/api/admin-operations.generated.ts`,
    "utf8",
  );
  return [...text.matchAll(/^ {2}"((?:GET|POST|PUT|PATCH|DELETE) [^"]+)": \{$/gm)].map(
    ([, name = ""]) => name,
  );
}

/** The operations that the pages call: `admin.get("/roles")`; an action may complete a path. */
async function calls(): Promise<RegExp[]> {
  const folder = `${root}apps/console/src/`;
  const files = await readdir(folder, { recursive: true });
  const found: RegExp[] = [];
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    const text = await readFile(folder + file, "utf8");
    for (const [, verb = "", path = ""] of text.matchAll(
      /\badmin\s*\.(get|post|put|patch|delete)\(\s*["`](\/[^"`]*)["`]/g,
    )) {
      const pattern = path.replaceAll(/\$\{[^}]*\}/g, "\u0000").replaceAll(/[{}./]/g, "\\$&");
      found.push(new RegExp(`^${verb.toUpperCase()} ${pattern.replaceAll("\u0000", "[^/]+")}$`));
    }
  }
  const drawn = Object.values(kindFacts).filter((facts) => "simple" in facts);
  return [...found, ...drawn.map(({ path }) => new RegExp(`^[A-Z]+ ${path}(?:/\\{id\\})?$`))];
}

it("a page calls every operation of the Admin API, except those with a reason", async () => {
  const used = await calls();
  const all = await operations();
  expect(all.length).toBeGreaterThan(100);
  const missing = all.filter((operation) => !used.some((one) => one.test(operation)));
  const explained = (operation: string) => uncalled.some(([those]) => those.test(operation));
  expect(missing.filter((operation) => !explained(operation))).toEqual([]);
  // A reason ends with the first page that calls the operation.
  expect(all.filter((operation) => explained(operation) && !missing.includes(operation))).toEqual(
    [],
  );
  for (const [those] of uncalled)
    expect(missing.some((operation) => those.test(operation))).toBe(true);
});
