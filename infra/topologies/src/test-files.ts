import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { leftOut } from "./left-out.ts";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The apps' test files. */
export function appTests(): string[] {
  return readdirSync(join(root, "apps"))
    .flatMap((app) => filesIn(`apps/${app}/test`))
    .filter((path) => path.endsWith(".test.ts"))
    .sort();
}

function filesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}

/** The files that `pnpm test:topologies` runs. */
export function topologyTests(): string[] {
  return appTests().filter((path) => !(path in leftOut));
}

/**
 * Returns whether a test file, or a file of its own folder that it imports, starts a service whose topology can be
 * chosen.
 */
export function startsTestEnvironment(path: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const file = join(root, path);
  if (!existsSync(file)) return false;
  const text = readFileSync(file, "utf8");
  if (text.includes("startTestEnvironment(")) return true;
  return [...text.matchAll(/from "(\.\/[^"]+)"/g)].some(([, name = ""]) =>
    startsTestEnvironment(join(dirname(path), name), seen),
  );
}
