import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = join(root, "apps/admin-api/dist/built-pages/inputs.json");

/** Builds the pages of `apps/console` if a source that they are made of is newer than the last build. */
export function buildPages(): void {
  if (isCurrent()) return;
  const folder = join(root, "apps/console");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "node_modules/vite/bin/vite.js"), "build"],
    { cwd: folder, encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  if (status !== 0) throw new Error(`apps/console could not be built:\n${stdout}${stderr}`);
}

function isCurrent(): boolean {
  const builtAt = changedAt(built);
  if (builtAt === 0) return false;
  const inputs = JSON.parse(readFileSync(built, "utf8")) as readonly string[];
  return inputs.every((name) => changedAt(join(root, name)) < builtAt);
}

/** The time of the last change of a file; infinite for a file that was removed, 0 for a build that does not exist. */
function changedAt(path: string): number {
  const absent = path === built ? 0 : Number.POSITIVE_INFINITY;
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? absent;
}
