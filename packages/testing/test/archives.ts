import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const run = promisify(execFile);

export async function readJson(file: string) {
  return JSON.parse(await readFile(file, "utf8"));
}

/** Runs the pnpm that `package.json` names. */
export async function pnpm(cwd: string, ...args: string[]): Promise<void> {
  const { packageManager } = await readJson(join(root, "package.json"));
  await run("npx", ["--yes", packageManager, ...args], { cwd });
}

/** Writes the archives of packages into a folder. */
export async function pack(folder: string, ...packages: string[]): Promise<void> {
  const selection = packages.flatMap((each) => ["--filter", each]);
  await pnpm(root, "-r", ...selection, "pack", "--pack-destination", folder);
}

/** Returns the program of another version of Node.js, or undefined if npm cannot load it. */
export async function nodeOf(version: string): Promise<string | undefined> {
  const script = ["-p", "process.execPath"];
  const found = await run("npx", ["--yes", `node@${version}`, ...script]).catch(() => undefined);
  return found?.stdout.trim();
}
