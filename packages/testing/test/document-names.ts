import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Matches a file of code, as documents name one: `run-cycle.ts`, `worker/*.ts`. */
const codeFile = /^[\w@./*-]+\.(?:tsx?|mjs|css|sql|sh)$/;
/** Matches a path from the root of the project. */
const fromRoot = /^(?:apps|packages|infra|docs|scripts|\.ci)\//;
/** Matches a folder of the package whose README names it: `run/`. */
const ownFolder = /^[\w-]+\/$/;
const readme = /^((?:apps|packages|infra)\/[\w-]+)\/README\.md$/;

/** Files that a document shows to its reader, to be written in the reader's own project. */
const ownFiles = new Set([
  // docs/configuration-as-code.md: a file that a folder of documents must not hold.
  "notes.sql",
  // docs/patches/cel-js.md: a file of the patched package.
  "index.d.ts",
]);

/** Returns the code spans of a document, each with its line. */
function spansOf(text: string): { readonly line: number; readonly span: string }[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
  return [...prose.matchAll(/(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/g)].map((match) => ({
    line: prose.slice(0, match.index).split("\n").length,
    span: match[2] ?? "",
  }));
}

/**
 * Returns the paths of a document that no file has, as `document:line path`. A path is a code span that begins with a top folder of
 * the project, that has the extension of a code file, or, in the README of a package, that is a folder.
 *
 * @param files every file of the project
 */
export function missingPaths(document: string, text: string, files: readonly string[]): string[] {
  const own = readme.exec(document)?.[1];
  return spansOf(text).flatMap(({ line, span }) => {
    const name = span.replace(/:\d+$/, "");
    if (/NNNN|…/.test(name) || ownFiles.has(name)) return [];
    const isThere = () => {
      if (/^[\w@./*-]+$/.test(name) && fromRoot.test(name)) {
        // The operator creates some files from their `.example`.
        return exists(files, `^${patternOf(name.replace(/\/$/, ""))}(?:\\.example)?(?:/|$)`);
      }
      if (codeFile.test(name)) return exists(files, `(?:^|/)${patternOf(name)}$`);
      return own === undefined || !ownFolder.test(name)
        ? true
        : exists(files, `^${own}/(?:.*/)?${patternOf(name)}`);
    };
    return isThere() ? [] : [`${document}:${line} ${name}`];
  });
}

function patternOf(name: string): string {
  return name.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
}

function exists(files: readonly string[], pattern: string): boolean {
  const expression = new RegExp(pattern);
  return files.some((file) => expression.test(file));
}

/** Pages about the code of other projects: two products to come from, and the packages that are patched. */
const foreignPages = /^docs\/(?:coming-from-|patches\/)/;
/** Names that other projects define, and no code of this one has. */
const foreignNames = new Set([
  // Browsers and HTTP.
  ...["EventSource", "rawJSON", "includeSubDomains"],
  // OpenAPI, JSON Schema and a generator of clients.
  ...["deepObject", "prefixItems", "urlEncodeParameters"],
  // Kubernetes, a mail server and the permissions of S3.
  ...["ReadWriteMany", "requireTLS", "GetObject", "DeleteObject", "AbortMultipartUpload"],
  ...["ListBucket", "ListBucketMultipartUploads"],
]);

/**
 * Returns the symbols of a document that no code has, as `document:line symbol`. A symbol is a name with an inner capital letter in
 * a code span, or one that is called: `parkRun`, `settle()`.
 */
export function missingSymbols(
  document: string,
  text: string,
  words: ReadonlySet<string>,
): string[] {
  if (foreignPages.test(document)) return [];
  return spansOf(text).flatMap(({ line, span }) =>
    [...span.matchAll(/(?<![\w$%-])(?:[A-Za-z]*[a-z][A-Z]\w*|[a-z]\w*(?=\(\)))(?![\w-])/g)]
      .map(([name]) => name)
      .filter((name) => !words.has(name) && !foreignNames.has(name))
      .map((name) => `${document}:${line} ${name}`),
  );
}

/** Returns the words of the code of the project, without those of comments. */
export function wordsOfCode(root: string, files: readonly string[]): ReadonlySet<string> {
  const isCode = (path: string) =>
    /\.(?:tsx?|mjs|sql|json|ya?ml|css|liquid|html)$/.test(path) &&
    !/^packages\/testing\/test\/document-names\.ts$|pnpm-lock|\/artefacts\//.test(path);
  const words = new Set<string>();
  for (const path of files.filter(isCode)) {
    const text = readFileSync(join(root, path), "utf8");
    const code = text.replaceAll(/\/\*\*?(?: |\n)[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm, "");
    for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word);
  }
  return words;
}
