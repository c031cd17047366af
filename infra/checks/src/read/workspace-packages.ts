import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package or app of the workspace, as its manifest describes it. */
export type WorkspacePackage = {
  readonly name: string;
  /** Relative to the repository, such as `packages/data`. */
  readonly folder: string;
  readonly description: string;
  /** Imports point to lower levels only. Null for what no level binds: tests and tools. */
  readonly level: number | null;
  /** Folders of `src`, or within one of them, from the lowest to the highest. Empty if the package has no inner order. */
  readonly rooms: readonly string[];
  /** Folders of `src` that do not import each other, in either direction. */
  readonly areas: readonly string[];
  /** Folders of `src` whose functions have no effect, and all that they may import of some packages, types included. */
  readonly pure: Pure;
};

type Pure = {
  readonly rooms: readonly string[];
  readonly names: Readonly<Record<string, readonly string[]>>;
};

type Manifest = {
  name: string;
  description?: string;
  rowhouse?: { level?: number; rooms?: string[]; areas?: string[]; pure?: Pure };
};

/** Reads the manifests of `apps`, `packages` and `infra`, sorted by folder. */
export function readWorkspacePackages(root: string): WorkspacePackage[] {
  return ["apps", "packages", "infra"]
    .flatMap((parent) => subfolders(root, parent))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort()
    .map((folder) => readPackage(root, folder));
}

function subfolders(root: string, parent: string): string[] {
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`);
}

function readPackage(root: string, folder: string): WorkspacePackage {
  const text = readFileSync(join(root, folder, "package.json"), "utf8");
  const manifest = JSON.parse(text) as Manifest;
  return {
    name: manifest.name,
    folder,
    description: manifest.description ?? "",
    level: manifest.rowhouse?.level ?? null,
    rooms: manifest.rowhouse?.rooms ?? [],
    areas: manifest.rowhouse?.areas ?? [],
    pure: manifest.rowhouse?.pure ?? { rooms: [], names: {} },
  };
}
