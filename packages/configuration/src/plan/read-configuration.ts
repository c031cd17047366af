import { createHash } from "node:crypto";
import type { DatabaseExtension } from "@rowhouse/ddl";
import { filePathsOf, type PartName } from "@rowhouse/wire";
import { Pauses } from "../documents/pauses.ts";
import { bodyPathOf, formatVersion, rootFile } from "../documents/read-documents.ts";
import type { Elsewhere, Part, State, Unwritten } from "../model/part.ts";
import { parts as allParts } from "../parts/parts.ts";
import { writeYaml } from "../yaml/write-yaml.ts";

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

/** The present documents of each part. */
export type Present = ReadonlyMap<Part<unknown>, Map<string, unknown>>;

/** Returns the parts of these names, in their order. */
export function partsOf(names: ReadonlySet<PartName> | undefined): readonly Part<unknown>[] {
  return allParts.filter(({ name }) => names === undefined || names.has(name));
}

/** Returns the state that parts read together. */
export function readsOf(
  state: Omit<State, "hasSql"> & Partial<State>,
  parts: readonly Part<unknown>[],
): State {
  const { hasSql = parts.some(({ name }) => name === "sql") } = state;
  return "hasSql" in state ? (state as State) : { ...state, hasSql };
}

/** Reads the documents of parts, sorted by path: the order of rows would otherwise change a plan. */
export async function readPresent(
  given: Omit<State, "hasSql">,
  parts: readonly Part<unknown>[],
): Promise<Present> {
  const state = readsOf(given, parts);
  const present = new Map<Part<unknown>, Map<string, unknown>>();
  for (const part of parts) present.set(part, new Map(byPath([...(await part.read(state))])));
  return present;
}

/** What the root file says besides the parts; what files of `sql` need is there with these. */
interface RootContent extends Pick<Elsewhere, "patterns"> {
  readonly extensions?: readonly DatabaseExtension[] | undefined;
  readonly uncarried?: readonly string[] | undefined;
}

/** Writes documents with the root file, by their own paths; always with the same bytes. */
export async function writeFiles(
  present: Present,
  { patterns, extensions = [], uncarried = [] }: RootContent,
): Promise<Files> {
  const pauses = new Pauses();
  const names = [...present.keys()].map(({ name }) => name);
  const files: [string, string][] = [
    [
      rootFile,
      writeYaml({
        ...{ version: formatVersion, parts: names },
        ...(patterns.length === 0 ? {} : { elsewhere: patterns }),
        ...(extensions.length === 0
          ? {}
          : {
              extensions: Object.fromEntries(
                extensions.map(({ name, version, schema }) => [
                  name,
                  schema === "public" ? version : { version, schema },
                ]),
              ),
            }),
        ...(uncarried.length === 0 ? {} : { uncarried }),
      }),
    ],
  ];
  for (const [part, documents] of present) {
    for (const [path, document] of withFiles(documents)) {
      files.push(...filesOf(part, path, document));
      await pauses.next();
    }
  }
  return Object.fromEntries(byPath(files));
}

function withFiles(documents: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...documents].filter(([, document]) => (document as Unwritten).hasNoFile !== true);
}

/** Returns the same texts by the paths that a file system can have. */
export function asFiles(texts: Files): Files {
  const paths = filePathsOf(Object.keys(texts));
  return Object.fromEntries(
    byPath(Object.entries(texts).map(([path, text]) => [paths.get(path) ?? path, text])),
  );
}

function byPath<Value>(entries: readonly [string, Value][]): [string, Value][] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function filesOf(part: Part<unknown>, path: string, document: unknown): [string, string][] {
  const fields = document as Readonly<Record<string, unknown>>;
  const written = part.write(document as never);
  if (part.isText === true) return [[path, (written as { readonly text: string }).text]];
  return [
    [path, writeYaml(written)],
    ...(part.bodies ?? []).flatMap(({ extension, field }): [string, string][] => {
      const text = fields[field];
      return typeof text === "string" ? [[bodyPathOf(path, extension), text]] : [];
    }),
  ];
}

/** Returns what documents say as JSON, which takes a fraction of the time of `writeFiles`. */
export function statedIn(present: Present): unknown {
  return [...present].map(([{ name, write, bodies = [] }, documents]) => [
    name,
    withFiles(documents).map(([path, document]) => {
      const fields = document as Readonly<Record<string, unknown>>;
      return [path, write(document as never), bodies.map(({ field }) => fields[field])];
    }),
  ]);
}

/** Returns the SHA-256 of a JSON value, in hexadecimal. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
