import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { documentPictures } from "../src/screen.ts";

const root = new URL("../../../", import.meta.url);

it("each picture of the documents is made of a screen, exists, and is shown", async () => {
  const files = await readdir(new URL("docs/pictures", root));
  const pages = [
    "README.md",
    ...(await readdir(new URL("docs", root))).map((one) => `docs/${one}`),
  ];
  const texts = await Promise.all(
    pages.filter((one) => one.endsWith(".md")).map((one) => readFile(new URL(one, root), "utf8")),
  );
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/\]\((?:docs\/)?pictures\/([^)]+)\)/g)].map(([, file]) => file),
  );
  const made = documentPictures.map(({ file }) => `${file}.png`).sort();
  expect(files.sort()).toEqual(made);
  expect([...new Set(shown)].sort()).toEqual(made);
});

it("the README shows three pictures, and begins with one", async () => {
  const text = await readFile(new URL("README.md", root), "utf8");
  expect(text.match(/\.png\)/g)).toHaveLength(3);
  expect(text.split("\n")[2]).toMatch(/^!\[.*\.png\)$/);
});
