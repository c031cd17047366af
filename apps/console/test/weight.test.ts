import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../admin-api/dist/built-pages/", import.meta.url));

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** The scripts that chunks need before they run, with all that these import statically. */
async function scriptsOf(...names: readonly string[]): Promise<Set<string>> {
  const text = await readFile(`${dist}.vite/manifest.json`, "utf8");
  const manifest = JSON.parse(text) as Record<string, Chunk>;
  const files = new Set<string>();
  const add = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`The build has no ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of names) add(name);
  return files;
}

async function kilobytesOf(files: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await readFile(dist + file), { level: 9 }).length;
  return Math.round(bytes / 1024);
}

it("the sign-in page loads at most 95 KB of compressed script", async () => {
  const files = await scriptsOf("src/main.tsx", "src/theme-first.ts", "src/words/en/start.ts");
  const kilobytes = await kilobytesOf(files);
  console.log(`sign-in: ${kilobytes} KB in ${files.size} files`);
  expect(kilobytes).toBeLessThanOrEqual(95);
});

it("a table that is opened from the sign-in loads at most 5 more scripts", async () => {
  const signIn = await scriptsOf("src/main.tsx", "src/theme-first.ts", "src/words/en/start.ts");
  const table = await scriptsOf(
    "src/routed-pages.tsx",
    "src/words/en/workspace/index.ts",
    "src/data/page/data-page.tsx",
  );
  expect([...table].filter((file) => !signIn.has(file)).length).toBeLessThanOrEqual(5);
});

it("charts and Markdown are loaded only by panels that have them", async () => {
  const page = await scriptsOf("src/main.tsx", "src/dashboards/page/dashboard-page.tsx");
  const parts = ["chart-drawing.tsx", "markdown-text.tsx"].map(
    (name) => `src/dashboards/panels/${name}`,
  );
  for (const part of parts) {
    const files = await scriptsOf(part);
    const own = [...files].filter((file) => !page.has(file));
    console.log(`${part}: ${await kilobytesOf(own)} KB`);
    expect(own.length).toBeGreaterThan(0);
    expect(await kilobytesOf(own)).toBeLessThanOrEqual(130);
  }
  const kilobytes = await kilobytesOf(page);
  console.log(`a dashboard: ${kilobytes} KB in ${page.size} files`);
  expect(kilobytes).toBeLessThanOrEqual(350);
});
