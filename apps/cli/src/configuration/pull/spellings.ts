import { foldPath } from "@rowhouse/wire";

/** Paths of files and of their folders, as many file systems compare them: without regard to case and Unicode form. */
export class Spellings {
  readonly #spellings = new Map<string, string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    for (const one of foldersOf(path)) {
      if (!this.#spellings.has(foldPath(one))) this.#spellings.set(foldPath(one), one);
    }
  }

  /** Returns a known path that a file system may take for this one or for one of its folders, and that is another one. */
  otherThan(path: string): string | undefined {
    for (const one of foldersOf(path)) {
      const known = this.#spellings.get(foldPath(one));
      if (known !== undefined && known !== one) return known;
    }
    return undefined;
  }
}

function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.map((_name, index) => names.slice(0, index + 1).join("/"));
}
