import { foldPath } from "@rowhouse/wire";
import { CommandError } from "../../base/command-error.ts";
import type { PullDecision } from "./decide.ts";
import { digestOfText, type Manifest, type Pulled, pulledOf } from "./manifest.ts";
import type { PulledDocument } from "./pulled-documents.ts";
import type { FolderChange } from "./replace-files.ts";
import { Spellings } from "./spellings.ts";

/** What a pull has done. */
export interface PullReport {
  /** The files of the configuration. */
  readonly files: readonly string[];
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Files that differ from the service and stay, each with the reason. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  /** Variables in whose place the value of the service stands now. */
  readonly replaced: readonly { readonly path: string; readonly variables: readonly string[] }[];
}

/** What the decisions on documents mean for files. */
export class PullPlan {
  readonly write: Map<string, string>;
  readonly #remove: string[] = [];
  readonly #moved: string[] = [];
  readonly #after: Map<string, Pulled>;
  readonly #left: PullReport["left"][number][] = [];
  readonly #replaced: PullReport["replaced"][number][] = [];
  readonly #conflicts: string[] = [];
  readonly #read: ReadonlyMap<string, string>;
  readonly #before: Manifest;

  /**
   * @param read the present files by path
   * @param first texts to write before all others
   */
  constructor(
    read: ReadonlyMap<string, string>,
    before: Manifest,
    first: Iterable<readonly [string, string]>,
  ) {
    this.#read = read;
    this.#before = before;
    this.#after = new Map(before);
    this.write = new Map(first);
  }

  /** A schema that `pull` has not written stays, because it may be of the application. */
  addSchema(path: string, text: string, force: boolean): void {
    const own = this.#read.get(path);
    const entry = this.#before.get(path);
    const isOurs = own === undefined || entry?.sha256 === digestOfText(own);
    const isSame = own !== undefined && digestOfText(own) === digestOfText(text);
    if (isSame) this.#put(path, path, own, text);
    else if (isOurs || force) this.#put(path, path, text, text);
    else this.#left.push({ path, reason: "not written by pull" });
  }

  /**
   * @param present the paths of all files, also of those that are no documents
   * @throws CommandError with all conflicts
   */
  refuseConflicts(present: readonly string[]): void {
    const gone = new Set([...this.#remove, ...this.#moved]);
    const spellings = new Spellings(present.filter((path) => !gone.has(path)));
    for (const path of this.write.keys()) {
      const other = spellings.otherThan(path);
      if (other === undefined) continue;
      this.#conflicts.push(
        `${path}: ${other} is in its place on a file system that ignores case; rename or delete it`,
      );
    }
    if (this.#conflicts.length === 0) return;
    throw new CommandError(
      [
        ...this.#conflicts,
        "Nothing was written. rowhouse plan shows how the files differ; apply or undo your changes, or take the state of the service with --force.",
      ].join("\nrowhouse: "),
    );
  }

  replacement(): FolderChange {
    return {
      ...{ write: this.write, remove: this.#remove, moved: this.#moved, read: this.#read },
      ...{ before: this.#before, after: this.#after },
    };
  }

  report(files: readonly string[]): PullReport {
    const deleted = [...this.#remove, ...this.#moved].toSorted();
    const written = [...this.write.keys()].toSorted();
    return { files, written, deleted, left: this.#left, replaced: this.#replaced };
  }

  add({ own, service, pulled, stem }: PulledDocument, decision: PullDecision): void {
    const [first] = own.size > 0 ? own.values() : service.values();
    const path = first?.file ?? stem;
    if (decision.kind === "CONFLICT") this.#conflicts.push(`${path}: ${decision.reason}`);
    if (decision.kind === "LEAVE") this.#left.push({ path, reason: decision.reason });
    if (decision.kind === "CONFLICT" || decision.kind === "LEAVE") return;
    for (const { file } of pulled.values()) this.#after.delete(file);
    const { texts, replaced = [] } = decision.kind === "TAKE" ? decision.merged : {};
    if (replaced.length > 0) this.#replaced.push({ path, variables: replaced });
    for (const [name, { file, text }] of service) {
      const mine = own.get(name);
      this.#put(mine?.file ?? file, file, texts?.get(name) ?? mine?.text ?? text, text);
    }
    for (const [name, { file }] of own) {
      if (service.has(name)) continue;
      if (pulled.has(name)) this.#remove.push(file);
      else this.#left.push({ path: file, reason: "not in the service, and not written by pull" });
    }
  }

  /** @param file the path that the text has at present */
  #put(file: string, path: string, text: string, service: string): void {
    // The path of a name in another Unicode form leads to the same file on some systems.
    const target = foldPath(file) === foldPath(path) ? file : path;
    if (target !== file) this.#moved.push(file);
    this.#after.set(target, pulledOf(path, text, service));
    if (this.#read.get(target) !== text) this.write.set(target, text);
  }
}
