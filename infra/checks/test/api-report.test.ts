// Tier: all. Compiles the packages.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { apiReport } from "../src/api/api-report.ts";
import { readPublishedPackages } from "../src/api/published-packages.ts";

// What a program of another project compiles against. A name that disappears and a signature that changes fail here; `npm run
// api` records the change.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const packages = readPublishedPackages(root).filter(({ entries }) => entries.size > 0);

beforeAll(async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const folders = packages.map(({ folder }) => folder);
  await promisify(execFile)(process.execPath, [tsc, "-b", ...folders], { cwd: root });
});

describe.each(packages)("$name", ({ name, folder, entries }) => {
  it("exports the names and signatures that its report has", async () => {
    const home = join(root, folder);
    const files = new Map([...entries].map(([path, file]) => [path, join(home, file)]));
    const report = apiReport({ name, declarations: join(home, "dist"), entries: files });
    await expect(report).toMatchFileSnapshot(join(home, "api.md"));
  });
});

describe("a report", () => {
  const declarations: Readonly<Record<string, string>> = {
    "index.d.ts":
      'export * from "./shapes.ts";\nexport { make as create } from "./make.ts";\nexport type { Text } from "other";\n',
    "make.d.ts": `import type { Round } from "./shapes.ts";
/** Makes one. */
export declare function make(size: number): Round;
export declare function make(): import("./hidden.ts").Hidden;
export declare function internal(): void;
`,
    "shapes.d.ts":
      "export type Round = { readonly radius: Size };\ntype Size = number;\nexport declare const two: Round;\n",
    "hidden.d.ts": "export interface Hidden { Text: string }\n",
  };

  async function reportOf(changes: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-api-"));
    try {
      for (const [name, text] of Object.entries({ ...declarations, ...changes })) {
        await writeFile(join(folder, name), text);
      }
      const entries = new Map([[".", join(folder, "index.d.ts")]]);
      return apiReport({ name: "shapes", declarations: folder, entries });
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("has every exported name, and what the signatures mention, without comments", async () => {
    const report = await reportOf({});
    expect(report.match(/^export .*|^type .*|^\/\/ .*|^## .*/gm)).toEqual([
      "## shapes",
      "export type Round = {",
      'export { Text } from "other";',
      "// make as create",
      "export declare function make(size: number): Round;",
      'export declare function make(): import("./hidden.ts").Hidden;',
      "export declare const two: Round;",
      "## Not exported",
      "export interface Hidden {",
      "type Size = number;",
    ]);
  });

  it.each([
    [
      "a type that is not exported itself",
      "shapes.d.ts",
      "type Size = number",
      "type Size = string",
    ],
    ["one overload", "make.d.ts", "make(size: number)", "make(size?: number)"],
    ["a type behind an import", "hidden.d.ts", "Text: string", "Text?: string"],
    ["an exported name", "index.d.ts", "make as create", "make as build"],
  ])("differs after a change of %s", async (_what, file, before, after) => {
    const text = (declarations[file] ?? "").replace(before, after);
    expect(await reportOf({ [file]: text })).not.toBe(await reportOf({}));
  });

  it("is the same after a change of a comment or of what no export reaches", async () => {
    const text = (declarations["make.d.ts"] ?? "")
      .replace("Makes one.", "Makes two.")
      .replace("internal(): void", "internal(): string");
    expect(await reportOf({ "make.d.ts": text })).toBe(await reportOf({}));
  });
});
