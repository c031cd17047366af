// Tier: long. Counts the steps of readers, and bundles a program.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "@rowhouse/errors";
import { hostileUnits, openStepCounter } from "@rowhouse/testing";
import { afterAll, describe, expect, it } from "vitest";
import { readDocuments } from "../src/documents/read-documents.ts";
import { parts } from "../src/parts/parts.ts";
import { viewsInOrder } from "../src/parts/views/view-order.ts";
import { readYaml } from "../src/yaml/read-yaml.ts";
import { root } from "./configuration.ts";

const counter = await openStepCounter();
afterAll(() => counter.close());

const read = (files: Readonly<Record<string, string>>) =>
  readDocuments({ ...root("roles", "tables", "views", "dashboards"), ...files }, parts, {});
const lines = (text: string, line: (index: number) => string) =>
  Array.from({ length: text.length / 4 }, (_, index) => line(index)).join("");

describe("twice the text takes at most in proportion more steps", () => {
  const readers: readonly [string, (text: string) => unknown, (readonly string[])?][] = [
    ["YAML", (text) => readYaml(text, new Map())],
    ["YAML in a list", (text) => readYaml(`a:\n  - ${text}`, new Map())],
    ["YAML in a flow", (text) => readYaml(`a: [${text}`, new Map())],
    ["YAML in a quoted text", (text) => readYaml(`a: "${text}`, new Map())],
    ["unknown keys", (text) => read({ "roles/A.yaml": lines(text, (n) => `k${n}: 1\n`) }), ["a"]],
    [
      "grants of unknown tables",
      (text) => read({ "roles/A.yaml": `grants:\n${lines(text, (n) => `  k${n}: {}\n`)}` }),
      ["a"],
    ],
    [
      "faults within a list",
      (text) => read({ "dashboards/A.yaml": `panels:\n${lines(text, (n) => `  - ${n}\n`)}` }),
      ["a"],
    ],
    [
      "files with faults",
      (text) =>
        read(
          Object.fromEntries(
            Array.from({ length: text.length / 40 }, (_, n) => [`roles/R${n}.yaml`, "a: 1\n"]),
          ),
        ),
      ["a"],
    ],
    [
      "files of no part, and bodies without documents",
      (text) =>
        read(
          Object.fromEntries(
            Array.from({ length: text.length / 40 }, (_, n) => [
              [`other/R${n}.yaml`, ""],
              [`views/a/v${n}.sql`, ""],
            ]).flat(),
          ),
        ),
      ["a"],
    ],
  ];
  it.each(readers)(
    "in %s",
    async (_part, reader, units) => {
      const extra = ["a: b\n", "- ", "- - a\n", "? ", "a: 1, ", "&a ", "!t ", "|\n", "a: |\n b\n"];
      expect(await counter.findExcess(reader, units ?? [...hostileUnits, ...extra])).toEqual([]);
    },
    300_000,
  );
});

describe("a folder with thousands of faults", () => {
  it.each([
    [
      "in one file",
      { "roles/A.yaml": Array.from({ length: 9000 }, (_, n) => `k${n}: 1\n`).join("") },
    ],
    [
      "in many files",
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`roles/R${n}.yaml`, "a: 1\n"])),
    ],
  ])(
    "is refused with twenty of them, %s, and the answer says that there may be more",
    async (_, files) => {
      const error: unknown = await read(files).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(AppError);
      expect((error as AppError).faults).toHaveLength(20);
      expect((error as AppError).meta).toEqual({ mayHaveMore: true });
    },
  );
});

it("a bundled program reads large files in a worker thread, while its event loop is free", async () => {
  const repository = join(import.meta.dirname, "../../..");
  const app = await mkdtemp(join(repository, "apps/.reading-"));
  try {
    await mkdir(join(app, "node_modules/@rowhouse"), { recursive: true });
    await mkdir(join(app, "src"));
    await symlink(
      join(repository, "packages/configuration"),
      join(app, "node_modules/@rowhouse/configuration"),
    );
    const manifest = {
      name: "@rowhouse/reading",
      type: "module",
      dependencies: { "@rowhouse/configuration": "*" },
    };
    await writeFile(join(app, "package.json"), JSON.stringify(manifest));
    await writeFile(join(app, "src/main.ts"), program);
    const run = promisify(execFile);
    await run(process.execPath, [join(repository, "scripts/bundle.mjs"), app], { cwd: repository });
    const { stdout } = await run(process.execPath, [join(app, "dist/main.js")]);
    const { values, turns } = JSON.parse(stdout) as Record<string, number>;
    expect(values).toBe(3 * 20_000);
    // The parser alone would leave no turn.
    expect(turns).toBeGreaterThan(20);
  } finally {
    await rm(app, { recursive: true, force: true });
  }
}, 120_000);

it("finding the order of hundreds of views leaves the process its turns", async () => {
  const views = Array.from({ length: 400 }, (_, n) => ({
    names: ["public", `v${n}`],
    query: `select id, ${n} as n from public.v${n + 1}`,
  }));
  // The first one loads the parser.
  await viewsInOrder(views.slice(0, 1));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const sorted = await viewsInOrder(views);
  clearInterval(timer);
  expect(sorted).toEqual(views.toReversed());
  // PostgreSQL's parser never waits: without turns of its own, it would leave none.
  expect(turns).toBeGreaterThan(5);
});

/** Reads three files of 290 kB, and counts the turns of its event loop meanwhile. */
const program = `
import { openYaml } from "../../../packages/configuration/src/yaml/yaml-text.ts";
import { readTexts } from "../../../packages/configuration/src/yaml/read-texts.ts";
const text = Array.from({ length: 20_000 }, (_, n) => "key" + n + ": 1\\n").join("");
let turns = 0;
const timer = setInterval(() => { turns += 1; }, 5);
let values = 0;
for await (const read of readTexts([text, text, text], new Map())) {
  values += Object.keys(openYaml(text, read).value).length;
}
clearInterval(timer);
console.log(JSON.stringify({ values, turns }));
`;
