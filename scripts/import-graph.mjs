// Which files of the checkout a file imports. Names are followed through the index of a package, so that a test depends on the
// modules that it uses and not on the whole package.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./places.mjs";

const statement =
  /(?:import|export)\s+(?:type\s+)?(?:([\w*\s{},$]+?)\s+from\s+)?"([^"\n]+)"|import\(\s*"([^"\n]+)"/g;

/** @returns the distance, in imports, of each file that an entry imports, by path */
export function reachableFrom(entry) {
  const distances = new Map([[entry, 0]]);
  const queue = [entry];
  for (const file of queue) {
    for (const next of importsOf(file)) {
      if (distances.has(next)) continue;
      distances.set(next, distances.get(file) + 1);
      queue.push(next);
    }
  }
  return distances;
}

const imports = new Map();
function importsOf(file) {
  const known = imports.get(file);
  if (known !== undefined) return known;
  const found = new Set();
  for (const [, names, from, dynamic] of read(file).matchAll(statement)) {
    for (const target of resolve(file, from ?? dynamic, names)) found.add(target);
  }
  imports.set(file, found);
  return found;
}

/** The files that an import reads: those of its names, if it names them, or the index of the package. */
function resolve(file, specifier, names) {
  if (specifier.startsWith(".")) {
    const path = join(dirname(file), specifier.split("?")[0]);
    return existsSync(join(root, path)) ? [path] : [];
  }
  const [, name, entry = ""] = /^@rowhouse\/([\w-]+)(\/[\w-]+)?$/.exec(specifier) ?? [];
  const folder = ["packages", "apps"].find((group) => existsSync(join(root, group, name ?? " ")));
  if (name === undefined || folder === undefined) return [];
  const index = `${folder}/${name}/src${entry}/index.ts`;
  if (!existsSync(join(root, index))) return [];
  const sources = namesIn(names).map((each) => exportsOf(index).get(each));
  return sources.length > 0 && sources.every(Boolean) ? sources : [index];
}

function namesIn(names = "") {
  return [...(/\{([^}]*)\}/.exec(names)?.[1] ?? "").split(",")]
    .map(
      (each) =>
        each
          .replace(/^\s*type\s/, "")
          .trim()
          .split(/\s+as\s+/)[0],
    )
    .filter((each) => each !== "");
}

const exported = new Map();
/** The file of each name that an index exports. */
function exportsOf(index) {
  const known = exported.get(index);
  if (known !== undefined) return known;
  const files = new Map();
  for (const [, names, from] of read(index).matchAll(
    /export\s+(?:type\s+)?(\{[^}]*\})\s+from\s+"([^"]+)"/g,
  )) {
    for (const name of names.slice(1, -1).split(",")) {
      const own = name
        .replace(/^\s*type\s/, "")
        .trim()
        .split(/\s+as\s+/)
        .at(-1);
      files.set(own, join(dirname(index), from));
    }
  }
  exported.set(index, files);
  return files;
}

function read(file) {
  return /\.(?:tsx?|mjs)$/.test(file) ? readFileSync(join(root, file), "utf8") : "";
}

/** All files below folders of the checkout, by path. */
export function filesBelow(...folders) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter(
      (entry) => entry.isFile() && !/node_modules|[\\/]dist\b/.test(entry.parentPath ?? entry.path),
    )
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
}
