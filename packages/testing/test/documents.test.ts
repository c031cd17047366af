import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { missingPaths, missingSymbols, wordsOfCode } from "./document-names.ts";

// Links of the documents point to existing documents, headings, tests and files.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const leftOut = new Set(["node_modules", "dist", ".git", ".turbo", ".rowhouse", "artefacts"]);

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Other tests write such folders beside this one.
    if (leftOut.has(entry.name) || entry.name.startsWith(".compiled")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield relative(root, path);
  }
}

const files = [...filesBelow(root)];
const documents = files.filter((path) => path.endsWith(".md"));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Returns the text without its code blocks. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** Returns the anchors that GitHub generates for the headings of a document. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number}\p{Mark} _-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

describe("every document", () => {
  it("links only to existing documents, headings and files", () => {
    const broken = documents.flatMap((path) =>
      [...proseOf(read(path)).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(
        ([, target = ""]) => {
          const [file = "", anchor] = target.split("#");
          const linked = file === "" ? path : join(dirname(path), file);
          if (!existsSync(join(root, linked))) return [`${path}: ${target}`];
          const isThere =
            anchor === undefined || !linked.endsWith(".md") || anchorsOf(read(linked)).has(anchor);
          return isThere ? [] : [`${path}: ${target}`];
        },
      ),
    );
    expect(broken).toEqual([]);
  });

  it("names only existing files", () => {
    expect(documents.flatMap((path) => missingPaths(path, read(path), files))).toEqual([]);
  });

  it("names only symbols of the code", () => {
    const words = wordsOfCode(root, files);
    const missing = documents
      // History, and names of data of the samples.
      .filter((path) => path !== "CHANGELOG.md")
      .flatMap((path) => missingSymbols(path, read(path), words));
    expect(missing).toEqual([]);
  });

  it("is found out by its line if it names a file or a symbol that does not exist", () => {
    const text =
      "# Page\n\n`run/go.ts` calls `go()` of `packages/low/src` and\n`packages/low/old.ts`, `gone.ts`, `goneFar`.\n\n`old/`";
    const some = ["packages/low/src/run/go.ts"];
    expect(missingPaths("packages/low/README.md", text, some)).toEqual([
      "packages/low/README.md:4 packages/low/old.ts",
      "packages/low/README.md:4 gone.ts",
      "packages/low/README.md:6 old/",
    ]);
    expect(missingSymbols("docs/page.md", text, new Set(["go"]))).toEqual([
      "docs/page.md:4 goneFar",
    ]);
  });
});

it("the version of openapi-typescript in the documents is the tested one", () => {
  const { dependencies, devDependencies } = JSON.parse(read("infra/checks/package.json"));
  const tested = { ...dependencies, ...devDependencies }["openapi-typescript"];
  const shown = documents.flatMap((path) =>
    [...read(path).matchAll(/\bopenapi-typescript@(\S+)/g)].map(([, version]) => version),
  );
  expect(new Set(shown)).toEqual(new Set([tested]));
});

describe("decisions", () => {
  const folder = "docs/decisions/";
  const decisions = documents
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length))
    .filter((name) => name !== "README.md" && name !== "template.md")
    .sort();
  const headingsOf = (name: string) =>
    [...proseOf(read(folder + name)).matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

  // A page that became a part of an older one has left its number unused.
  it("have numbers of their own, in the file name and in the heading", () => {
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
    for (const [index, name] of decisions.entries()) {
      expect(read(folder + name), name).toMatch(new RegExp(`^# ${numbers[index]} \\S`));
    }
  });

  it("have the headings of the template, in its order", () => {
    const optional = new Set(["Alternatives", "Measured"]);
    for (const name of decisions) {
      const headings = headingsOf(name);
      const expected = headingsOf("template.md").filter(
        (heading) => headings.includes(heading) || !optional.has(heading),
      );
      expect(headings, name).toEqual(expected);
    }
  });

  it("are linked from the document or the code that they explain", () => {
    const explained = files
      .filter((path) => /\.(?:md|tsx?|mjs|sql|css)$/.test(path) && !path.startsWith(folder))
      .map(read)
      .join("\n");
    expect(decisions.filter((name) => !explained.includes(name))).toEqual([]);
  });

  it("are listed in the index under their titles", () => {
    const rows = [...read(`${folder}README.md`).matchAll(/^\| \[(\d{4})\]\((.+?)\) \| (.+) \|$/gm)];
    expect(rows.map(([, number, name, title]) => [name, `# ${number} ${title}`])).toEqual(
      decisions.map((name) => [name, read(folder + name).split("\n")[0]]),
    );
  });
});
