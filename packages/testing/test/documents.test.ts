import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// What documents point to is there: other documents, their headings, tests and files of the project.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const leftOut = new Set(["node_modules", "dist", ".git", ".turbo", ".rowhouse", "artefacts"]);

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield relative(root, path);
  }
}

const files = [...filesBelow(root)];
const documents = files.filter((path) => path.endsWith(".md"));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The text without its blocks of code, which may hold anything. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** The anchors of a document's headings, as GitHub makes them. */
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
  it("links only to documents, headings and files that are there", () => {
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

  it("names only files that are there", () => {
    const names = new Set(files.map((path) => path.slice(path.lastIndexOf("/") + 1)));
    const missing = documents.flatMap((path) =>
      [...proseOf(read(path)).matchAll(/`([\w@./-]+)`/g)].flatMap(([, name = ""]) => {
        // A path of the project from its root, or the bare name of a test.
        const isPath =
          !name.includes("NNNN") && /^(?:apps|packages|infra|docs|scripts|\.ci)\//.test(name);
        const isTest = /^[\w-]+\.test\.ts$/.test(name);
        // A file that whoever runs it makes out of its example.
        const isThere = [name, `${name}.example`].some((one) => existsSync(join(root, one)));
        if (isPath) return isThere ? [] : [`${path}: ${name}`];
        return !isTest || names.has(name) ? [] : [`${path}: ${name}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  it("of decisions has a number of its own, in its name and its heading", () => {
    const decisions = documents.filter((path) => path.startsWith("docs/decisions/"));
    const numbers = decisions.map((path) => path.slice("docs/decisions/".length).slice(0, 4));
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, "0")));
    for (const [index, path] of decisions.entries()) {
      expect(read(path).split("\n")[0], path).toMatch(new RegExp(`^# ${numbers[index]} \\S`));
    }
  });
});
