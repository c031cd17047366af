import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkStructure, readTexts } from "../src/check-structure.ts";
import { findField } from "../src/measures/kinds.ts";
import {
  emptyRatchet,
  lowerRatchet,
  type Ratchet,
  ratchetOf,
  ratchetPath,
  renderRatchet,
} from "../src/measures/ratchet.ts";
import {
  renderPackageTable,
  replacePackageTable,
  tableMarkers,
} from "../src/order/package-tables.ts";
import { readWorkspacePackages } from "../src/read/workspace-packages.ts";

const roots: string[] = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/**
 * A checkout with two packages, `low` on level 0 and `high` on level 1, and the files of the test. Its ratchet is current
 * unless the test has one.
 */
function checkout(files: Readonly<Record<string, string>>, ratchet?: Partial<Ratchet>): string {
  const root = mkdtempSync(join(tmpdir(), "structure-"));
  roots.push(root);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const pure = { rooms: ["parse"], names: { "@rowhouse/low": ["Row", "quote"] } };
  const manifest = (name: string, level: number, rooms: string[] = [], areas: string[] = []) =>
    JSON.stringify({
      name: `@rowhouse/${name}`,
      description: name,
      rowhouse: { level, rooms, areas, ...(name === "high" ? { pure } : {}) },
    });
  write("packages/low/package.json", manifest("low", 0, [], ["data", "people"]));
  write(
    "packages/high/package.json",
    manifest("high", 1, ["parse", "plan", "flow/model", "flow/page"]),
  );
  for (const [path, text] of Object.entries(files)) write(path, text);
  const table = renderPackageTable(readWorkspacePackages(root));
  const document = `${tableMarkers.join("\n")}\n`;
  write("docs/architecture.md", replacePackageTable(document, table));
  const current = ratchetOf(checkStructure(root), {});
  const stored = ratchet && { ...emptyRatchet, lines: current.lines, ...ratchet };
  write(ratchetPath, renderRatchet(stored ?? current));
  return root;
}

const otherwise = `, or raise the number in ${ratchetPath} and give the reason in the commit`;
const added = `merge, split, move or rename what this change has added${otherwise}`;
const unrecorded = `${ratchetPath}: run \`pnpm structure --write\``;

function faultsOf(
  files: Readonly<Record<string, string>>,
  ratchet?: Partial<Ratchet>,
): readonly string[] {
  return checkStructure(checkout(files, ratchet)).faults;
}

const wide = Object.fromEntries(
  Array.from({ length: 14 }, (_, n) => [`packages/low/src/data/n${n}.ts`, "export {};\n"]),
);

describe("the structure check", () => {
  it("accepts imports of lower levels and lower rooms", () => {
    expect(
      faultsOf({
        "packages/high/src/plan/plan.ts": 'import "@rowhouse/low";\nimport "../parse/parse.ts";\n',
        "packages/high/src/parse/parse.ts": "export const parse = 1;\n",
        "packages/high/src/index.ts": 'export * from "./plan/plan.ts";\n',
      }),
    ).toEqual([]);
  });

  it("reports an import from a lower room to a higher one of the same folder", () => {
    expect(
      faultsOf({
        "packages/high/src/flow/model/step.ts": 'import "../page/page.ts";\n',
        "packages/high/src/flow/page/page.ts": 'import "../../plan/plan.ts";\n',
        "packages/high/src/plan/plan.ts": 'import "../flow/model/step.ts";\n',
      }),
    ).toContain(
      "packages/high/src/flow/model/step.ts imports up: packages/high/src/flow/page/page.ts",
    );
  });

  it("reports an import from one area to another, in both directions", () => {
    expect(
      faultsOf({
        "packages/low/src/people/list.ts": "export const list = 1;\n",
        "packages/low/src/people/page.ts": 'import "./list.ts";\nimport "../data/grid.ts";\n',
        "packages/low/src/data/grid.ts": "export const grid = 1;\n",
        "packages/low/src/data/page.ts": 'import "../people/list.ts";\n',
      }),
    ).toEqual([
      "packages/low/src/data/page.ts imports another area: packages/low/src/people/list.ts",
      "packages/low/src/people/page.ts imports another area: packages/low/src/data/grid.ts",
    ]);
  });

  it("reports an import of a package of the same or a higher level", () => {
    expect(
      faultsOf({ "packages/low/src/a.ts": 'import type { B } from "@rowhouse/high";\n' }),
    ).toEqual(["packages/low/src/a.ts (level 0) imports @rowhouse/high (level 1)"]);
  });

  it("reports a package that imports itself by its name", () => {
    expect(
      faultsOf({
        "packages/low/src/a.ts": 'import type { B } from "@rowhouse/low/b";\n',
        "packages/high/src/a.ts": 'export { b } from "@rowhouse/high";\n',
      }),
    ).toEqual([
      "packages/high/src/a.ts imports its own package by name: @rowhouse/high",
      "packages/low/src/a.ts imports its own package by name: @rowhouse/low",
    ]);
  });

  it("reports a dynamic import of a higher level", () => {
    expect(faultsOf({ "packages/low/src/a.ts": 'await import("@rowhouse/high");\n' })).toEqual([
      "packages/low/src/a.ts (level 0) imports @rowhouse/high (level 1)",
    ]);
  });

  it("reports an import from a lower room to a higher one, and to the files above the rooms", () => {
    expect(
      faultsOf({
        "packages/high/src/parse/parse.ts": 'import "../plan/plan.ts";\nimport "../top.ts";\n',
        "packages/high/src/plan/plan.ts": "export const plan = 1;\n",
        "packages/high/src/top.ts": "export const top = 1;\n",
      }),
    ).toEqual([
      "packages/high/src/parse/parse.ts imports up: packages/high/src/plan/plan.ts",
      "packages/high/src/parse/parse.ts imports up: packages/high/src/top.ts",
    ]);
  });

  it("reports a package with folders that lists no rooms", () => {
    const manifest = JSON.stringify({ name: "@rowhouse/other", rowhouse: { level: 0 } });
    const files = {
      "packages/other/package.json": manifest,
      "packages/other/src/in/a.ts": "export {};\n",
      "packages/flat/package.json": manifest,
      "packages/flat/src/a.ts": "export {};\n",
    };
    expect(faultsOf(files)).toEqual([
      "packages/other: list its folders, from the lowest to the highest, as rowhouse.rooms of package.json",
    ]);
  });

  it("reports what a pure folder imports beside the listed names, types and whole modules included", () => {
    const listed = 'import { quote, type Row } from "@rowhouse/low";\nimport { x } from "other";\n';
    const database = 'import type { Database } from "@rowhouse/low";\n';
    expect(
      faultsOf({
        "packages/high/src/parse/listed.ts": listed,
        "packages/high/src/parse/query.ts": `${listed}${database}`,
        "packages/high/src/parse/rest.ts":
          'import * as low from "@rowhouse/low";\nexport { open } from "@rowhouse/low";\n',
        "packages/high/src/parse/late.ts": 'await import("@rowhouse/low");\n',
        "packages/high/src/plan/plan.ts": database,
      }),
    ).toEqual([
      "packages/high/src/parse/late.ts is in a pure folder and imports * of @rowhouse/low",
      "packages/high/src/parse/query.ts is in a pure folder and imports Database of @rowhouse/low",
      "packages/high/src/parse/rest.ts is in a pure folder and imports * of @rowhouse/low",
      "packages/high/src/parse/rest.ts is in a pure folder and imports open of @rowhouse/low",
    ]);
  });

  it("reports a cycle of imports of types, through re-exports too", () => {
    expect(
      faultsOf({
        "packages/low/src/a.ts": 'import type { B } from "./b.ts";\nexport type A = B;\n',
        "packages/low/src/b.ts": 'export type { C as B } from "./c.ts";\n',
        "packages/low/src/c.ts": 'import type { A } from "./a.ts";\nexport type C = A;\n',
        "packages/low/src/outside.ts": 'import "./a.ts";\n',
      }),
    ).toEqual([
      "import cycle: packages/low/src/a.ts, packages/low/src/b.ts, packages/low/src/c.ts",
    ]);
  });

  it("reports a file of more than 500 lines unless it is data", () => {
    const long = "export {};\n".repeat(501);
    const short = { "packages/low/src/a.ts": "\n", "packages/low/src/b.ts": "\n" };
    expect(
      faultsOf({
        ...short,
        "packages/low/src/c.ts": long,
        "packages/low/src/c.generated.ts": long,
        "packages/low/src/d.ts": "\n",
      }),
    ).toEqual(["packages/low/src/c.ts has 501 lines; the limit is 500"]);
  });

  it("reports a room with more short files for one importer, or wide folders, than before", () => {
    const files = {
      ...wide,
      "packages/low/src/index.ts": 'export * from "./public.ts";\n',
      "packages/low/src/public.ts": 'import "./data/page.ts";\n',
      "packages/low/src/data/page.ts": 'import "./part.ts";\nimport "./long.ts";\n',
      "packages/low/src/data/part.ts": "export {};\n",
      "packages/low/src/data/long.ts": "export {};\n".repeat(50),
    };
    const wideFolders = { "packages/low/src/data": 17 };
    const whole = { "files below 50 lines with one importer": 2 };
    expect(faultsOf(files, {})).toEqual([
      `files below 50 lines with one importer: 2, before 0; ${added}`,
      `files in packages/low/src/data: 17, before 0; put the new file into a folder${otherwise}`,
    ]);
    expect(faultsOf(files, { wideFolders, whole })).toEqual([]);
    expect(faultsOf({}, { wideFolders, whole })).toEqual([unrecorded]);
  });

  it("reports a wide folder that has one file more", () => {
    const files = {
      ...wide,
      "packages/low/src/data/one.ts": "export {};\n",
      "packages/low/src/data/more.ts": "export {};\n",
    };
    expect(faultsOf(files, { wideFolders: { "packages/low/src/data": 15 } })).toEqual([
      `files in packages/low/src/data: 16, before 15; put the new file into a folder${otherwise}`,
    ]);
  });

  it("reports more names that several packages declare than before, and none that one passes on", () => {
    const files = {
      "packages/low/src/place.ts": "export interface Place {}\nexport const low = 1;\n",
      "packages/high/src/plan/place.ts": "export type Place = string;\n",
      "packages/high/src/index.ts": 'export { low } from "@rowhouse/low";\n',
    };
    expect(faultsOf(files, {})).toEqual([
      `names that several packages declare: 1, before 0; ${added}`,
    ]);
    const whole = { "names that several packages declare": 1 };
    expect(faultsOf(files, { whole })).toEqual([]);
  });

  it("reports a new circle of folders, and two that have become one", () => {
    const files = {
      "packages/low/src/a/one.ts": 'import "../b/two.ts";\n',
      "packages/low/src/b/two.ts": "export {};\n",
      "packages/low/src/b/three.ts": 'import "../a/four.ts";\n',
      "packages/low/src/a/four.ts": "export {};\n",
    };
    const short = { "files below 50 lines with one importer": 2 };
    expect(faultsOf(files, { whole: short })).toEqual([
      `circles of folders: 1, before 0; ${added}`,
      `imports in circles of folders: 2, before 0; ${added}`,
    ]);
    const whole = { ...short, "circles of folders": 2, "imports in circles of folders": 1 };
    expect(faultsOf(files, { whole })).toEqual([
      `imports in circles of folders: 2, before 1; ${added}`,
    ]);
  });

  it("reports a function of more than 100 lines", () => {
    const body = (lines: number) => `export function run() {\n${"  run();\n".repeat(lines)}}\n`;
    expect(faultsOf({ "packages/low/src/a.ts": body(99) }, {})).toEqual([
      `functions of more than 100 lines: 1, before 0; ${added}`,
    ]);
    expect(faultsOf({ "packages/low/src/a.ts": body(98) }, {})).toEqual([]);
  });

  it("reports a package that has grown by more than 300 lines, and one that has shrunk as much", () => {
    const files = { "packages/low/src/a.ts": "export {};\n".repeat(301) };
    expect(faultsOf(files, { lines: {} })).toEqual([
      "lines of packages/low: 301, before 0; shorten it, or record a feature with `pnpm structure --write`",
    ]);
    expect(faultsOf(files, { lines: { "packages/low": 1 } })).toEqual([]);
    expect(faultsOf(files, { lines: { "packages/low": 601 } })).toEqual([]);
    expect(faultsOf(files, { lines: { "packages/low": 602 } })).toEqual([unrecorded]);
  });

  it("reports a source or a word that newly names a kind of record or its field, and no test, document or generated file", () => {
    const files = {
      "packages/low/src/a.ts": 'export const kind = "role";\n',
      "packages/low/src/b.ts": 'export const sql = "select token_creation from system.roles";\n',
      "packages/low/src/c.ts": 'import "../roles/roles.ts";\nexport const role = "roles";\n',
      "packages/low/roles/roles.ts": "export {};\n",
      "packages/low/test/a.test.ts": 'ask("/roles");\n',
      "packages/low/src/api.generated.ts": 'export const path = "/roles/{id}";\n',
      "apps/console/src/words/en.ts": 'export const words = { "role.create": "Role created" };\n',
      "docs/page.md": "`tokenCreation` of `/roles`\n",
    };
    const derive = "derive it from the description of the kind; `structure FIELD` lists the files";
    expect(faultsOf(files, {})).toEqual([
      `files that name role: 3, before 0; ${derive}${otherwise}`,
      `files that name role.tokenCreation: 1, before 0; ${derive}${otherwise}`,
    ]);
    const naming = findField(readTexts(checkout(files)), "tokenCreation");
    expect(naming.files).toEqual([
      { group: "docs", path: "docs/page.md" },
      { group: "source", path: "packages/low/src/b.ts" },
    ]);
  });

  it("records lower numbers and the current lines, and no number that has grown", () => {
    const root = checkout({ "packages/low/src/a.ts": 'export const kind = "role";\n' });
    const stored = {
      ...emptyRatchet,
      whole: { "circles of folders": 1 },
      kinds: { role: 2, user: 3 },
      lines: { "packages/low": 9 },
    };
    const current = ratchetOf(checkStructure(root), {});
    expect(lowerRatchet(stored, current)).toEqual({
      ...emptyRatchet,
      kinds: { role: 1 },
      lines: { "packages/low": 1 },
    });
    expect(lowerRatchet(emptyRatchet, current)).toEqual({
      ...emptyRatchet,
      lines: { "packages/low": 1 },
    });
  });

  it("reports a private word with its line and the plain word", () => {
    expect(faultsOf({ "docs/page.md": "# Page\n\nWhoever asks gets an answer.\n" })).toEqual([
      'docs/page.md:3: "Whoever" → name the role: the caller, the worker, this process',
    ]);
  });

  it.each([
    ["a code block", "```sh\nnpx rowhouse types --out types.ts\n```\n", 2, "npx rowhouse"],
    ["inline code", "Run `npx @rowhouse/cli types`.\n", 1, "npx @rowhouse/cli"],
    ["our own name with a version", "`npx rowhouse@0.1.0`\n", 1, "npx rowhouse@0.1.0"],
    ["a tool without a version", "`npx --yes pnpm install`\n", 1, "npx pnpm"],
    ["a tool with a tag", "`npx openapi-typescript@latest`\n", 1, "npx openapi-typescript@latest"],
    ["an unlisted tool", "`npx cowsay@1.6.0`\n", 1, "npx cowsay@1.6.0"],
    ["a name after a flag with a value", "`npx --cache x rowhouse`\n", 1, "npx rowhouse"],
    ["the package of a flag", "`npx -p rowhouse -- pnpm@12`\n", 1, "npx rowhouse"],
    ["the package of a flag with =", "`npx --package=rowhouse x`\n", 1, "npx rowhouse"],
    ["a continued line", "```\nnpx --yes \\\n  rowhouse\n```\n", 2, "npx rowhouse"],
    ["JSON", '{"command": "npx", "args": ["-y", "rowhouse", "mcp"]}', 1, "npx rowhouse"],
    ["TOML", 'command = "npx"\nargs = ["rowhouse"]\n', 1, "npx rowhouse"],
    ["a list", '{"command": "cmd", "args": ["/c", "npx", "rowhouse"]}', 1, "npx rowhouse"],
    ["another runner", "`pnpm dlx rowhouse` \n", 1, "pnpm dlx rowhouse"],
    ["npm exec", "`npm exec --yes -- rowhouse`\n", 1, "npm exec rowhouse"],
    ["bun x", "`bun x rowhouse`\n", 1, "bun x rowhouse"],
    ["npm create", "`npm create rowhouse`\n", 1, "npm create create-rowhouse"],
    ["yarn create", "`yarn create rowhouse`\n", 1, "yarn create create-rowhouse"],
    ["npm install", "```sh\nnpm install --global rowhouse\n```\n", 2, "npm install rowhouse"],
    ["a short form", "`npm i -g rowhouse@1.0.0`\n", 1, "npm i rowhouse@1.0.0"],
    ["a flag first", "`npm --prefix x add rowhouse`\n", 1, "npm add rowhouse"],
    ["several names", "`npm i pnpm@12 rowhouse ./x.tgz`\n", 1, "npm i rowhouse"],
    ["an alias", "`npm i pnpm@npm:rowhouse@1.0.0`\n", 1, "npm i pnpm@npm:rowhouse@1.0.0"],
    ["a repository", "`npm i rowhouse/client`\n", 1, "npm i rowhouse/client"],
    ["pnpm add", "`pnpm -r add -D @rowhouse/db`\n", 1, "pnpm add @rowhouse/db"],
    ["yarn global", "`yarn global add rowhouse`\n", 1, "yarn add rowhouse"],
    ["yarn in a workspace", "`yarn workspace a add rowhouse`\n", 1, "yarn add rowhouse"],
    ["corepack", "`corepack prepare rowhouse@1.0.0`\n", 1, "corepack prepare rowhouse@1.0.0"],
    ["a downloaded pnpm", "`npx --yes pnpm@12 add rowhouse`\n", 1, "pnpm@12 add rowhouse"],
    ["two lines of text", "Run `npm install\nrowhouse` first.\n", 1, "npm install rowhouse"],
    ["a second line", "```\nnpm i pnpm@12 \\\n  rowhouse\n```\n", 2, "npm i rowhouse"],
    ["a second command", "`npm ci && npm i rowhouse`\n", 1, "npm i rowhouse"],
    ["a list of Docker", 'RUN ["npm", "install", "rowhouse"]\n', 1, "npm install rowhouse"],
    ["a list of YAML", "command: [npm, install, rowhouse]\n", 1, "npm install rowhouse"],
    ["lines of YAML", "args:\n  - npm\n  - install\n  - rowhouse\n", 2, "npm install rowhouse"],
    ["a call", 'run("npm", ["install", name, "rowhouse"]);\n', 1, "npm install rowhouse"],
    ["a manager of another language", "`pip install rowhouse`\n", 1, "pip install rowhouse"],
  ])(
    "reports a download in %s that is not pinned or not in the list",
    (_name, text, line, found) => {
      expect(faultsOf({ "packages/low/README.md": text })).toEqual([
        `packages/low/README.md:${line}: "${found}" → a tool of downloads.ts, with its version`,
      ]);
    },
  );

  it("reports a download whose arguments it cannot find", () => {
    expect(faultsOf({ "docs/page.md": '{"args": ["rowhouse"], "command": "npx"}\n' })).toEqual([
      'docs/page.md:1: "npx" → write its arguments after it',
    ]);
  });

  it("reports a download in the sources of pages and programs, and none in the changelog", () => {
    const source = 'export const server = { command: "npx", args: ["rowhouse", "mcp"] };\n';
    const faults = faultsOf({
      "packages/low/src/words.ts": source,
      "packages/low/test/words.test.ts": source,
      "CHANGELOG.md": "- `npx rowhouse` is not shown any more.\n",
    });
    expect(faults).toEqual([
      'packages/low/src/words.ts:1: "npx rowhouse" → a tool of downloads.ts, with its version',
      'packages/low/test/words.test.ts:1: "npx rowhouse" → a tool of downloads.ts, with its version',
    ]);
  });

  it.each([
    "packages/low/package.json",
    "infra/docker/Dockerfile",
    "infra/pipelines/gitlab-ci.yml",
    "scripts/prepare.mjs",
    "exec.cmd",
    ".ci/run",
  ])("reports a download in %s", (path) => {
    const text = path.endsWith(".json")
      ? '{"scripts": {"go": "npm i rowhouse"}}'
      : "npm i rowhouse";
    expect(faultsOf({ [path]: text })).toEqual([
      `${path}:1: "npm i rowhouse" → a tool of downloads.ts, with its version`,
    ]);
  });

  it.each([
    ["infra/compose.yaml", "    image: rowhouse/gateway:1\n", "rowhouse/gateway"],
    ["infra/docker/Dockerfile", "FROM someone/node AS build\n", "someone/node"],
    ["infra/pipelines/github-actions.yml", "- uses: someone/checkout@v5\n", "someone/checkout"],
    ["docs/page.md", "Run `docker run rowhouse/data-api`.\n", "rowhouse/data-api"],
  ])("reports an image or an action of an unknown owner in %s", (path, text, name) => {
    expect(faultsOf({ [path]: text })).toEqual([
      `${path}:1: "${name}" → localhost/${name}, or a name of downloads.ts`,
    ]);
  });

  it.each([
    "    image: localhost/rowhouse/gateway\n",
    "    image: postgres:18-bookworm\n",
    "- uses: actions/checkout@v5\n",
  ])("accepts the known owner of %j", (text) => {
    expect(faultsOf({ "infra/compose.yaml": text })).toEqual([]);
  });

  it.each([
    "npx --yes pnpm@12 install && npx -y node@24 main.js",
    "`npx --yes pnpm@12.21.0 <command>`, or `npx` alone, and npx.",
    "npx --package node@24.21.0 --package=pnpm@12 -- pnpm install",
    "npx --registry http://127.0.0.1:4873 -c pnpm -y pnpm@12",
    '{"command": "npx", "args": ["-y", "openapi-typescript@7.13.0", "own.json"]}',
    "npm install && npm ci; pnpm install --frozen-lockfile",
    "`npm install --global ./tools/rowhouse.tgz`, or npm installs it, or npm, yarn and pnpm.",
    "npm install --save-dev /path/to/rowhouse-0.1.0.tgz client@file:../client pnpm@12.1.0",
    "npx --no -- rowhouse --help",
    "pnpm exec vitest; pnpm run add; yarn node; npm view rowhouse version",
  ])("accepts the pinned tools of %j", (text) => {
    expect(faultsOf({ "docs/page.md": `${text}\n` })).toEqual([]);
  });

  it("reports a table of packages that differs from the manifests", () => {
    const root = checkout({});
    writeFileSync(join(root, "docs/architecture.md"), `${tableMarkers.join("\n")}\n`);
    expect(checkStructure(root).faults).toEqual([
      "docs/architecture.md: run `pnpm structure --write`",
    ]);
  });
});
