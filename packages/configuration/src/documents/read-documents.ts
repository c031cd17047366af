import type { Fault } from "@rowhouse/errors";
import { documentPathOf, filePathsOf, type PartName, partNames } from "@rowhouse/wire";
import type { Document } from "../model/document.ts";
import type { Documents, Part } from "../model/part.ts";
import { type DocumentPath, readYaml, type VariableOf, type YamlText } from "../yaml/read-yaml.ts";
import { Faults, fileFault } from "./document-faults.ts";
import { isPattern } from "./elsewhere.ts";

/** The release of the format. A file of another version is refused. */
export const formatVersion = 1;
export const rootFile = "rowhouse.yaml";
const environmentFile = /^environments\/[^/]+\.yaml$/;
const fileCharactersMax = 300_000;

export interface DocumentOptions {
  /** The file `environments/<name>.yaml` has the variables. */
  readonly environment?: string | undefined;
  /** Variables that precede those of the file. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Reads these parts only. */
  readonly parts?: readonly PartName[] | undefined;
}

/** The texts of files, by the paths of documents. */
interface GivenFiles {
  readonly texts: Readonly<Record<string, string>>;
  /** Returns the path that a text was given with. */
  readonly fileOf: (path: string) => string;
}

/**
 * Parses and checks the files of a folder.
 *
 * @param given texts by path, with `/` between folders
 * @throws AppError with the faults of all files, each with file, line and column
 */
export function readDocuments(
  given: Readonly<Record<string, string>>,
  parts: readonly Part<unknown>[],
  options: DocumentOptions,
): Documents {
  const faults = new Faults();
  const files = byDocument(given, faults);
  const variableOf = readVariables(files, options, faults);
  const root = readFile(files, rootFile, () => undefined, faults);
  const { parts: named, elsewhere } =
    root === undefined ? { parts: [], elsewhere: [] } : readRoot(root, faults);
  const chosen = new Set(options.parts ?? named);
  const found = new Map<Part<unknown>, Map<string, Document>>(
    parts.filter(({ name }) => chosen.has(name)).map((part) => [part, new Map()]),
  );
  for (const path of Object.keys(files.texts).toSorted()) {
    if (path === rootFile || environmentFile.test(path)) continue;
    const part = parts.find((one) => placeOf(one, path) !== undefined);
    if (part === undefined) {
      faults.add(
        fileFault(
          files.fileOf(path),
          `No part of a configuration has this file; a document's path is like ${examplePath}`,
        ),
      );
      continue;
    }
    const documents = found.get(part);
    const names = part.namesOf(path);
    if (documents === undefined || names === undefined) continue;
    const document = readDocument(files, { part, path, names }, variableOf, faults);
    if (document !== undefined) documents.set(path, document);
  }
  for (const part of parts) findMissingDocuments(files, part, faults);
  faults.throwAll();
  return {
    parts: chosen,
    elsewhere,
    fileOf: files.fileOf,
    of: (part) =>
      (found.get(part as Part<unknown>) ?? new Map()) as ReturnType<Documents["of"]> as never,
  };
}

/** Refuses two files of one document, such as one whose name is escaped and one whose name is not. */
function byDocument(given: Readonly<Record<string, string>>, faults: Faults): GivenFiles {
  const files = new Map<string, string>();
  for (const file of Object.keys(given).toSorted()) {
    const path = documentPathOf(file);
    const other = files.get(path);
    if (other === undefined) files.set(path, file);
    else faults.add(fileFault(file, `${other} is a file of the same document; delete one of them`));
  }
  return {
    texts: Object.fromEntries([...files].map(([path, file]) => [path, given[file] ?? ""])),
    fileOf: (path) => files.get(path) ?? filePathsOf([path]).get(path) ?? path,
  };
}

const examplePath = "tables/fleet/trips.yaml";

/** Whether a file is a document of a part, or a file beside one. */
export function placeOf(part: Part<unknown>, path: string): "DOCUMENT" | "BODY" | undefined {
  if (part.namesOf(path) !== undefined) return "DOCUMENT";
  return documentOfBody(part, path) === undefined ? undefined : "BODY";
}

function documentOfBody({ bodies = [], namesOf }: Part<unknown>, path: string): string | undefined {
  return bodies
    .filter(({ extension }) => path.endsWith(extension))
    .map(({ extension }) => `${path.slice(0, -extension.length)}.yaml`)
    .find((document) => namesOf(document) !== undefined);
}

export function bodyPathOf(path: string, extension: string): string {
  return path.replace(/\.yaml$/, extension);
}

/** Refuses the files beside a document that is missing. */
function findMissingDocuments(
  { texts, fileOf }: GivenFiles,
  part: Part<unknown>,
  faults: Faults,
): void {
  for (const path of Object.keys(texts)) {
    const document = placeOf(part, path) === "BODY" ? documentOfBody(part, path) : undefined;
    if (document === undefined || texts[document] !== undefined) continue;
    faults.add(fileFault(fileOf(path), `It belongs to ${fileOf(document)}, which is missing`));
  }
}

function readVariables(
  files: GivenFiles,
  { environment, variables = {} }: DocumentOptions,
  faults: Faults,
): VariableOf {
  const given = new Map(Object.entries(variables));
  if (environment === undefined) return (name) => given.get(name);
  const path = `environments/${environment}.yaml`;
  const text = readFile(files, path, () => undefined, faults);
  const values = text?.value;
  const read = new Map<string, string>();
  for (const [name, value] of Object.entries(typeof values === "object" ? (values ?? {}) : {})) {
    if (typeof value === "string") read.set(name, value);
    else faults.add(fileFault(path, `${name} must be a text`, text?.positionOf([name])));
  }
  return (name) => given.get(name) ?? read.get(name);
}

/** Returns the parts that the root file names, and what it leaves to other tools. */
function readRoot(
  root: YamlText,
  faults: Faults,
): { readonly parts: PartName[]; readonly elsewhere: string[] } {
  const { version, parts, elsewhere = [], ...rest } = (root.value ?? {}) as Record<string, unknown>;
  if (version !== formatVersion) {
    const message = `This service reads documents of version ${formatVersion}; these have the version ${String(version)}`;
    faults.add(fileFault(rootFile, message, root.positionOf(["version"])));
  }
  for (const key of Object.keys(rest)) {
    faults.add(fileFault(rootFile, `Unknown key ${key}`, root.positionOfKey([key])));
  }
  const find = <Item>(key: string, list: unknown, read: (item: unknown) => Item | Error) => {
    const items: readonly unknown[] = Array.isArray(list) ? list : [undefined];
    return items.flatMap((item, index): Item[] => {
      const found = read(item);
      if (!(found instanceof Error)) return [found];
      const place = Array.isArray(list) ? [key, index] : [key];
      faults.add(fileFault(rootFile, found.message, root.positionOf(place)));
      return [];
    });
  };
  return {
    parts: find("parts", parts, (item) => partNames.find((name) => name === item) ?? noPart(item)),
    elsewhere: find("elsewhere", elsewhere, (item) =>
      typeof item === "string" && isPattern(item) ? item : noPattern,
    ),
  };
}

function noPart(item: unknown): Error {
  return new Error(
    item === undefined
      ? "It names the parts of the configuration that these files hold: parts: [tables, roles]"
      : `There is no part ${String(item)}; the parts are ${partNames.join(", ")}`,
  );
}

const noPattern = new Error(
  "It lists what belongs to other tools, as schema.name with at most one * in each: elsewhere: [billing.*, '*.flyway_schema_history']",
);

function readFile(
  { texts, fileOf }: GivenFiles,
  path: string,
  variableOf: VariableOf,
  faults: Faults,
): YamlText | undefined {
  const text = texts[path];
  const file = fileOf(path);
  if (text === undefined) {
    faults.add(fileFault(file, "This file is missing"));
    return undefined;
  }
  if (text.length > fileCharactersMax) {
    faults.add(fileFault(file, `A file has at most ${fileCharactersMax} characters`));
    return undefined;
  }
  const read = readYaml(text, variableOf);
  if (!isFaults(read)) return read;
  faults.add(...read.map(({ message, ...position }) => fileFault(file, message, position)));
  return undefined;
}

function isFaults(read: ReturnType<typeof readYaml>): read is Exclude<typeof read, YamlText> {
  return Array.isArray(read);
}

function readDocument(
  files: GivenFiles,
  { part, path, names }: { part: Part<unknown>; path: string; names: readonly string[] },
  variableOf: VariableOf,
  faults: Faults,
): Document | undefined {
  const text = readFile(files, path, variableOf, faults);
  if (text === undefined) return undefined;
  const { texts, fileOf } = files;
  const file = fileOf(path);
  const bodies = new Map<string, string>();
  const written = (text.value ?? {}) as Readonly<Record<string, unknown>>;
  let { value } = text;
  for (const { extension, field } of part.bodies ?? []) {
    const bodyPath = bodyPathOf(path, extension);
    bodies.set(field, bodyPath);
    if (Object.hasOwn(written, field)) {
      const message = `The value of ${field} is the content of ${fileOf(bodyPath)}`;
      faults.add(fileFault(file, message, text.positionOfKey([field])));
    }
    if (texts[bodyPath] !== undefined) value = { ...(value as object), [field]: texts[bodyPath] };
  }
  const result = part.schema.safeParse(value ?? {});
  const at = (place: DocumentPath, message: string, code?: Fault["code"]) => {
    const bodyPath = bodies.get(String(place[0]));
    if (bodyPath === undefined) return fileFault(file, message, text.positionOf(place), code);
    const needed = texts[bodyPath] === undefined ? `${file} needs this file` : message;
    return fileFault(fileOf(bodyPath), needed, undefined, code);
  };
  if (result.success) {
    return {
      ...{ path, names, value: result.data, faultAt: at },
      faultAtKey: (place, message) => fileFault(file, message, text.positionOfKey(place)),
    };
  }
  for (const issue of result.error.issues) {
    const place = issue.path as DocumentPath;
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        const bodyPath = place.length === 0 ? bodies.get(key) : undefined;
        faults.add(
          bodyPath === undefined
            ? fileFault(file, `Unknown key ${key}`, text.positionOfKey([...place, key]))
            : fileFault(fileOf(bodyPath), `${file} has no such file beside it`),
        );
      }
    } else faults.add(at(place, issue.message));
  }
  return undefined;
}
