import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readWorkspacePackages } from "../read/workspace-packages.ts";

/** A package that a registry may have. */
export type PublishedPackage = {
  readonly name: string;
  /** Relative to the repository. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Paths of `exports` with the file of the declarations of each, relative to the package. */
  readonly entries: ReadonlyMap<string, string>;
};

type Manifest = {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
};

/** Reads the packages and apps that are not `private`, sorted by folder. */
export function readPublishedPackages(root: string): PublishedPackage[] {
  return readWorkspacePackages(root).flatMap(({ name, folder }) => {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (manifest.private === true) return [];
    const entries = Object.entries(manifest.exports ?? {}).flatMap(([path, conditions]) => {
      const types = isConditions(conditions) ? conditions.types : undefined;
      return types === undefined ? [] : [[path, types] as const];
    });
    return [{ name, folder, manifest, entries: new Map(entries) }];
  });
}

function isConditions(value: unknown): value is { readonly types?: string } {
  return typeof value === "object" && value !== null;
}
