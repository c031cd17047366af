// `node scripts/bundle.mjs [folder of an app …]`: writes each app's program, `dist/main.js`, from the TypeScript sources of the
// app and of the packages, with all modules that it imports. No build comes before it, and no types are checked. Node.js
// starts the program in about half the time that it needs to find and link 1,500 files.
//
// Packages with native code or files of their own are loaded from where they are installed.
//
// With `--single` the program is one file that starts without any package beside it, for an archive. It looks for the files of
// our packages in folders beside its own (`../migrations/`), and a package with native code is absent.
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Packages that open files beside their own code. */
const installed = new Set(["@node-rs/argon2", "libpg-query", "sharp"]);
/** A module of our own has effects only if something of it is used. */
const ownModule = /[\\/](apps|packages)[\\/][^\\/]+[\\/]src[\\/]/;
/** Upper bound of the time in which the files of one program are written. */
const writingMs = 60_000;
const helper = "\0rowhouse:require-from";
// A package is found by its manifest, because a checkout has only that and its sources.
const helperCode = `
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
const manifestOf = (name) => (name.startsWith("@rowhouse/") ? name + "/package.json" : name);
/** Returns the require function of the last package, which each is a dependency of the one before. */
export const requireFrom = (...packages) =>
  packages.reduce((require, name) => createRequire(require.resolve(manifestOf(name))), createRequire(import.meta.url));
/** Returns the URL of a module of a package, which this file contains. */
export const urlOf = (path, ...packages) =>
  new URL(path, pathToFileURL(requireFrom(...packages.slice(0, -1)).resolve(manifestOf(packages.at(-1))))).href;
`;

/** Programs of worker threads by the packages that start them: each becomes a program beside the app's own. */
const workers = { "@rowhouse/configuration": "src/yaml/yaml-worker.ts" };
const workerUrl = "\0rowhouse:worker-url";
// This module is part of the program, or of a chunk.
const workerUrlCode = (owner) => `
export const workerUrl = new URL(
  (/\\/chunks\\/[^/]*$/.test(import.meta.url) ? "../" : "./") + ${JSON.stringify(programOf(owner))}, import.meta.url);
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    entry: { type: "string", default: "main" },
    to: { type: "string", default: "dist" },
    single: { type: "boolean", default: false },
  },
});
for (const folder of positionals.length > 0 ? positionals : ["."]) {
  await bundleApp(resolve(folder), values.entry, values.to, values.single);
}

/**
 * Also writes `inputs.json`, the list of the sources that the program was made of.
 *
 * @param app the app's folder
 * @param entry the name of the program, and of its first module
 * @param target the folder of the program, from there
 * @param isSingle whether the program is one file
 */
async function bundleApp(app, entry, target, isSingle) {
  const folder = join(app, target);
  const chainTo = dependencyChains(app);
  const earlier = statSync(join(folder, `${entry}.js`), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const bundle = await rolldown({
    cwd: app,
    input: { [entry]: `src/${entry}.ts`, ...(isSingle ? {} : workersOf(chainTo)) },
    platform: "node",
    // Not `import`: BullMQ's `require("pg")` would then receive a module without its default export.
    resolve: { conditionNames: ["rowhouse-source", "node"] },
    ...(isSingle ? { external: [...installed] } : {}),
    plugins: [
      { name: "fewer-messages", load: withoutLocales },
      ...(isSingle ? [] : [{ name: "installed-packages", ...locations(chainTo) }]),
    ],
    treeshake: { moduleSideEffects: [{ test: ownModule, sideEffects: false }] },
    onLog: (level, log) => {
      // Of third parties; nothing of our own is left out of the bundle.
      if (level === "warn" && !log.message.includes("node_modules")) throw new Error(log.message);
    },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: !isSingle,
    banner: isSingle ? "#!/usr/bin/env node" : "",
    // Libraries name their errors after their classes.
    keepNames: true,
    // V8 keeps the text of a program; one character beyond Latin-1 doubles its size.
    charset: "ascii",
    comments: { annotation: false, jsdoc: false },
  });
  removeChunks(join(folder, "chunks"), earlier - writingMs);
  const own = (await bundle.watchFiles).filter((file) => !file.includes("node_modules"));
  const inputs = own.map((file) => relative(root, file).split(sep).join("/")).sort();
  writeFileSync(join(folder, "inputs.json"), JSON.stringify(inputs));
  await bundle.close();
}

/** The programs of worker threads that an app needs, by their names. */
function workersOf(chainTo) {
  return Object.fromEntries(
    Object.entries(workers).flatMap(([name, path]) => {
      const folder = chainTo.folderOf(name);
      return folder === undefined ? [] : [[programOf(name).replace(".js", ""), join(folder, path)]];
    }),
  );
}

/** The file of a package's worker thread. */
function programOf(name) {
  return workers[name].split("/").at(-1).replace(".ts", ".js");
}

/** Removes old chunks. A process that runs the program before this one may still load those of that program. */
function removeChunks(folder, before) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs < before) rmSync(file);
  }
}

/** Leaves out messages in 50 languages, which no module of ours uses. */
function withoutLocales(id) {
  const isIndex = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id);
  return isIndex ? `export { default as en } from "./en.js";` : undefined;
}

/** Hooks that keep the places of files and of packages with native code as they are without the bundle. */
function locations(chainTo) {
  return {
    resolveId: (id, importer) => {
      if (id === helper) return id;
      if (id === "./worker-url.ts") return `${workerUrl}:${manifestOf(folderOf(importer)).name}`;
      return installed.has(id) ? `\0rowhouse:installed:${id}:${packageOf(importer)}` : undefined;
    },
    load: (id) => {
      if (id === helper) return helperCode;
      if (id.startsWith(workerUrl)) return workerUrlCode(id.slice(workerUrl.length + 1));
      if (!id.startsWith("\0rowhouse:installed:")) return undefined;
      const [, , name, owner] = id.split(":");
      const from = `require(${texts([helper])}).requireFrom(${texts(chainTo(owner))})`;
      return `module.exports = ${from}(${texts([name])});`;
    },
    /** Modules keep the address that they have in their package, because files lie beside it. */
    transform: (code, id) => {
      const isOwn = isAbsolute(id) && !relative(root, id).includes("node_modules");
      if (!isOwn || !code.includes("import.meta.url")) return undefined;
      const folder = folderOf(id);
      const path = `./${relative(folder, id).split(sep).join("/")}`;
      const url = `urlOf(${texts([path, ...chainTo(manifestOf(folder).name)])})`;
      return {
        code: `import { urlOf } from ${texts([helper])};\n${code.replaceAll("import.meta.url", url)}`,
        map: null,
      };
    },
  };
}

/** Arguments of a call, as source text. */
function texts(values) {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

/** Returns a function that finds the names of packages, each a dependency of the one before, from the app to `name`. */
function dependencyChains(app) {
  const chains = new Map([[manifestOf(app).name, [manifestOf(app).name]]]);
  const folders = new Map();
  const queue = [{ folder: app, chain: [] }];
  for (const { folder, chain } of queue) {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(folder);
    for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (!dependency.startsWith("@rowhouse/") || chains.has(dependency)) continue;
      chains.set(dependency, [...chain, dependency]);
      const next = realpathSync(join(folder, "node_modules", dependency));
      folders.set(dependency, next);
      queue.push({ folder: next, chain: [...chain, dependency] });
    }
  }
  const chainTo = (name) => {
    const chain = chains.get(name);
    if (chain === undefined) throw new Error(`${manifestOf(app).name} does not depend on ${name}`);
    return chain;
  };
  return Object.assign(chainTo, { folderOf: (name) => folders.get(name) });
}

function packageOf(file) {
  return manifestOf(folderOf(file)).name;
}

/** The folder of the package that has a file. */
function folderOf(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  if (relative(root, folder).startsWith(".."))
    throw new Error(`${file} is not a file of the repository`);
  return folder;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
