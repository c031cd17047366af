import { dirname } from "node:path";
import type { SourceFile } from "../read/source-file.ts";

/**
 * Import cycles among files, `import type` included: each as the sorted paths of one strongly connected component
 * (Tarjan 1972) of two files or more, or of one file that imports itself.
 */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
  return findCycles(new Map(files.map((file) => [file.path, file.files])));
}

/** Folders that import each other, directly or through further ones. */
export type FolderCircle = {
  readonly folders: readonly string[];
  /** Pairs of its folders of which the first imports the second. Two circles that become one have more than both had. */
  readonly imports: number;
};

/** Import cycles among folders, without their subfolders. */
export function findFolderCircles(files: readonly SourceFile[]): FolderCircle[] {
  const imports = new Map<string, Set<string>>();
  for (const { path, files: imported } of files) {
    const folder = dirname(path);
    const targets = imports.get(folder) ?? new Set();
    imports.set(folder, targets);
    for (const target of imported) if (dirname(target) !== folder) targets.add(dirname(target));
  }
  const cycles = findCycles(
    new Map([...imports].map(([folder, targets]) => [folder, [...targets]])),
  );
  return cycles.map((folders) => ({
    folders,
    imports: folders.reduce(
      (sum, folder) => sum + folders.filter((other) => imports.get(folder)?.has(other)).length,
      0,
    ),
  }));
}

function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const search = new ComponentSearch(imports);
  for (const path of imports.keys()) search.visit(path);
  return search.components
    .filter(([first, second]) => second !== undefined || isOwnImport(imports, first))
    .map((paths) => paths.sort());
}

function isOwnImport(imports: ReadonlyMap<string, readonly string[]>, path?: string): boolean {
  return path !== undefined && (imports.get(path) ?? []).includes(path);
}

class ComponentSearch {
  readonly components: string[][] = [];
  readonly #index = new Map<string, number>();
  readonly #stack: string[] = [];

  readonly #imports: ReadonlyMap<string, readonly string[]>;

  constructor(imports: ReadonlyMap<string, readonly string[]>) {
    this.#imports = imports;
  }

  /** Returns the lowest index that is reachable from the file and still on the stack. */
  visit(path: string): number {
    const known = this.#index.get(path);
    if (known !== undefined) return this.#stack.includes(path) ? known : Number.POSITIVE_INFINITY;
    const index = this.#index.size;
    this.#index.set(path, index);
    this.#stack.push(path);
    let low = index;
    for (const target of this.#imports.get(path) ?? []) {
      if (!this.#imports.has(target)) continue;
      low = Math.min(low, this.visit(target));
    }
    if (low === index) this.components.push(this.#stack.splice(this.#stack.indexOf(path)));
    return low;
  }
}
