import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

const apps = ["gateway", "data-api", "admin-api", "workflow-worker"].map((app) => `apps/${app}`);

/** Another commit of the product, built in a separate folder. */
export interface Build {
  /** The abbreviated commit hash. */
  readonly name: string;
  readonly root: string;
  /** The number of its newest migration. */
  readonly newestMigration: number;
  remove(): Promise<void>;
}

/** Returns the commit before the newest migration landed: the last code without that migration. */
export async function previousBuild(): Promise<string> {
  const newest = (await migrationsIn(root)).at(-1);
  const folder = "packages/db/migrations";
  const { stdout } = await git(
    "log",
    "-1",
    "--format=%H",
    "--diff-filter=A",
    "--no-renames",
    "--",
    `${folder}/${newest}`,
  );
  if (stdout.trim() === "") throw new Error(`${newest} is not committed; name a commit`);
  return `${stdout.trim()}^`;
}

/** Checks out a commit, installs its lockfile's dependencies, and builds it. */
export async function prepareBuild(reference: string, say: (line: string) => void): Promise<Build> {
  const { stdout } = await git("rev-parse", "--short", "--verify", `${reference}^{commit}`);
  const name = stdout.trim();
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-upgrade-"));
  const place = join(folder, "build");
  const remove = async () => {
    await git("worktree", "remove", "--force", place).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await git("worktree", "add", "--detach", place, name);
    const manifest: unknown = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    const { packageManager } = manifest as { packageManager: string };
    const inPlace = { cwd: place, maxBuffer: 64 * 1024 * 1024 };
    const pnpm = ["--yes", packageManager];
    say(`${name}: install and build`);
    await run("npx", [...pnpm, "install", "--frozen-lockfile", "--prefer-offline"], inPlace);
    // Until the apps were bundled from their sources, the build of the packages came before them.
    const isBundled = existsSync(join(place, "scripts/package.json"));
    if (isBundled) await run(process.execPath, ["scripts/bundle.mjs", ...apps], inPlace);
    else await run("npx", [...pnpm, "exec", "tsc", "-b"], inPlace);
    const newestMigration = Number.parseInt((await migrationsIn(place)).at(-1) ?? "", 10);
    return { name, root: place, newestMigration, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function git(...args: string[]): Promise<{ stdout: string }> {
  return run("git", args, { cwd: root });
}

async function migrationsIn(place: string): Promise<string[]> {
  const paths = await readdir(join(place, "packages/db/migrations"), { recursive: true });
  return paths
    .filter((path) => path.endsWith(".sql"))
    .map((path) => basename(path))
    .sort();
}
