import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { fontFiles } from "../build/font-files.ts";

const folder = resolve(import.meta.dirname, "../src/ui/fonts");

it("the fonts are the reduced ones of their packages; `npm run fonts` writes them", async () => {
  const files = await fontFiles();
  expect([...files.keys()]).toEqual([
    "inter-latin.woff2",
    "jetbrains-mono-latin.woff2",
    "faces.generated.css",
  ]);
  for (const [name, content] of files) {
    const stored = await readFile(resolve(folder, name));
    expect([name, stored.equals(Buffer.from(content))]).toEqual([name, true]);
  }
});
