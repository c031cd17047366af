import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../apps/console/", import.meta.url));
const sources = [
  "src",
  "build",
  "package.json",
  "vite.config.ts",
  "../../packages/accounts/src/passwords",
  "../../packages/accounts/src/providers/return-path.ts",
];

/** Builds the pages of `apps/console` if a source is newer than the last build; it takes about two seconds. */
export function buildPages(): void {
  const built = changedAt(join(folder, "dist/.vite/manifest.json"));
  if (sources.every((name) => changedAt(join(folder, name)) < built)) return;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "node_modules/vite/bin/vite.js"), "build"],
    { cwd: folder, encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  if (status !== 0) throw new Error(`apps/console could not be built:\n${stdout}${stderr}`);
}

/** The time of the last change of a file, or of a file in a folder; 0 if it does not exist. */
function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
