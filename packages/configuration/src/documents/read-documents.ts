import type { DatabaseExtension } from "@rowhouse/ddl";
import { type Fault, faultsMax } from "@rowhouse/errors";
import {
  documentPathOf,
  filePathsOf,
  findExcess,
  isObject,
  type PartName,
  partNames,
} from "@rowhouse/wire";
import type { Document } from "../model/document.ts";
import type { Documents, Part } from "../model/part.ts";
import { readTexts } from "../yaml/read-texts.ts";
import type { VariableValues } from "../yaml/read-yaml.ts";
import {
  type DocumentPath,
  openYaml,
  type Position,
  positionsIn,
  type ReadYaml,
  type YamlText,
} from "../yaml/yaml-text.ts";
import { Faults, fileFault } from "./document-faults.ts";
import { isPattern, matcherOf } from "./elsewhere.ts";
import { Pauses } from "./pauses.ts";

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
 * Parses and checks the files of a folder. It stops at the file that has the twentieth fault.
 *
 * @param given texts by path, with `/` between folders
 * @throws AppError with the faults of the files, each with file, line and column
 */
export async function readDocuments(
  given: Readonly<Record<string, string>>,
  parts: readonly Part<unknown>[],
  options: DocumentOptions,
): Promise<Documents> {
  const faults = new Faults();
  const files = byDocument(given, faults);
  const variables = await readVariables(files, options, faults);
  const root = await readFile(files, rootFile, faults);
  const { parts: named, ...said } =
    root === undefined
      ? { parts: [], elsewhere: [], extensions: [], uncarried: [] }
      : readRoot(root, faults);
  const chosen = new Set(options.parts ?? named);
  const found = new Map<Part<unknown>, Map<string, Document>>(
    parts.filter(({ name }) => chosen.has(name)).map((part) => [part, new Map()]),
  );
  const places: FilePlace[] = [];
  for (const path of Object.keys(files.texts).toSorted()) {
    if (path === rootFile || environmentFile.test(path)) continue;
    const part = parts.find((one) => placeOf(one, path) !== undefined);
    if (part === undefined) {
      const message = `No part of a configuration has this file; a document's path is like ${examplePath}`;
      faults.add(fileFault(files.fileOf(path), message));
      continue;
    }
    const names = part.namesOf(path);
    if (!found.has(part) || names === undefined) continue;
    const text = requireText(files, path, faults);
    if (text === undefined) continue;
    if (part.isText !== true) places.push({ part, path, names, text });
    else found.get(part)?.set(path, textDocument(files, path, names, text));
  }
  for (const part of parts) findMissingDocuments(files, part, faults);
  const pauses = new Pauses();
  const texts = readTexts(
    places.map(({ text }) => text),
    variables,
  );
  for (const place of places) {
    if (faults.isFull) break;
    const { value: read } = await texts.next();
    const text = read && openText(files, place.path, place.text, read, faults);
    const document = text && readDocument(files, place, text, faults);
    if (document !== undefined) found.get(place.part)?.set(place.path, document);
    await pauses.next();
  }
  faults.throwAll();
  return {
    parts: chosen,
    ...said,
    isOthers: matcherOf(said.elsewhere),
    fileOf: files.fileOf,
    has: (path) => [...found.values()].some((documents) => documents.has(path)),
    of: (part) =>
      (found.get(part as Part<unknown>) ?? new Map()) as ReturnType<Documents["of"]> as never,
  };
}

function textDocument(
  { fileOf }: GivenFiles,
  path: string,
  names: readonly string[],
  text: string,
): Document {
  const at = (message: string, inside?: Position, code?: Fault["code"]) =>
    fileFault(fileOf(path), message, inside, code);
  return {
    ...{ path, names, value: { text } },
    faultAt: (_, message, code, inside) => at(message, inside, code),
    faultAtKey: (_, message) => at(message),
  };
}

/** A document that is yet to be read. */
interface FilePlace {
  readonly part: Part<unknown>;
  readonly path: string;
  readonly names: readonly string[];
  readonly text: string;
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

async function readVariables(
  files: GivenFiles,
  { environment, variables = {} }: DocumentOptions,
  faults: Faults,
): Promise<VariableValues> {
  const read = new Map<string, string>();
  if (environment !== undefined) {
    const path = `environments/${environment}.yaml`;
    const text = await readFile(files, path, faults);
    const values = text?.value;
    for (const [name, value] of Object.entries(typeof values === "object" ? (values ?? {}) : {})) {
      if (typeof value === "string") read.set(name, value);
      else faults.add(fileFault(path, `${name} must be a text`, text?.positionOf([name])));
      if (faults.isFull) break;
    }
  }
  return new Map([...read, ...Object.entries(variables)]);
}

/** Returns the parts that the root file names, and what it leaves to other tools. */
function readRoot(
  root: YamlText,
  faults: Faults,
): { readonly parts: PartName[] } & Pick<Documents, "elsewhere" | "extensions" | "uncarried"> {
  const value = (root.value ?? {}) as Record<string, unknown>;
  const { version, parts, elsewhere = [], extensions = {}, uncarried = [], ...rest } = value;
  if (version !== formatVersion) {
    const message = `This service reads documents of version ${formatVersion}; these have the version ${String(version)}`;
    faults.add(fileFault(rootFile, message, root.positionOf(["version"])));
  }
  for (const key of Object.keys(rest).slice(0, faultsMax)) {
    faults.add(fileFault(rootFile, `Unknown key ${key}`, root.positionOfKey([key])));
  }
  const find = <Item>(key: string, list: unknown, read: (item: unknown) => Item | Error) => {
    const items: readonly unknown[] = Array.isArray(list) ? list : [undefined];
    return items.flatMap((item, index): Item[] => {
      const found = read(item);
      if (!(found instanceof Error)) return [found];
      if (faults.isFull) return [];
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
    uncarried: find("uncarried", uncarried, (item) => (typeof item === "string" ? item : noObject)),
    extensions: extensionsIn(root, extensions, faults),
  };
}

const noObject = new Error("It lists objects by their names: uncarried: [cast (text as integer)]");

function extensionsIn(root: YamlText, value: unknown, faults: Faults): DatabaseExtension[] {
  if (!isObject(value)) {
    faults.add(fileFault(rootFile, noExtension, root.positionOf(["extensions"])));
    return [];
  }
  return Object.entries(value).flatMap(([name, said]): DatabaseExtension[] => {
    const { version, schema = "public", ...rest } = isObject(said) ? said : { version: said };
    const isRead = typeof version === "string" && typeof schema === "string";
    if (isRead && Object.keys(rest).length === 0) return [{ name, version, schema }];
    if (!faults.isFull) {
      faults.add(fileFault(rootFile, noExtension, root.positionOf(["extensions", name])));
    }
    return [];
  });
}

const noExtension =
  'It has the version of each extension as a text, and its schema beside it unless that is public: extensions: { pgcrypto: "1.3", hstore: { version: "1.8", schema: ext } }';

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

async function readFile(
  files: GivenFiles,
  path: string,
  faults: Faults,
): Promise<YamlText | undefined> {
  const text = requireText(files, path, faults);
  if (text === undefined) return undefined;
  const { value: read } = await readTexts([text], new Map()).next();
  return read && openText(files, path, text, read, faults);
}

function requireText({ texts, fileOf }: GivenFiles, path: string, faults: Faults) {
  const text = texts[path];
  if (text === undefined) faults.add(fileFault(fileOf(path), "This file is missing"));
  else if (text.length > fileCharactersMax) {
    faults.add(fileFault(fileOf(path), `A file has at most ${fileCharactersMax} characters`));
    return undefined;
  }
  return text;
}

function openText(
  { fileOf }: GivenFiles,
  path: string,
  text: string,
  read: ReadYaml,
  faults: Faults,
): YamlText | undefined {
  if (!("faults" in read)) return openYaml(text, read);
  const positionAt = positionsIn(text);
  faults.add(
    ...read.faults.map(({ offset, message }) =>
      fileFault(fileOf(path), message, positionAt(offset)),
    ),
  );
  return undefined;
}

function readDocument(
  { texts, fileOf }: GivenFiles,
  { part, path, names }: FilePlace,
  text: YamlText,
  faults: Faults,
): Document | undefined {
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
  const at: Document["faultAt"] = (place, message, code, inside) => {
    const bodyPath = bodies.get(String(place[0]));
    if (bodyPath === undefined) return fileFault(file, message, text.positionOf(place), code);
    const needed = texts[bodyPath] === undefined ? `${file} needs this file` : message;
    return fileFault(fileOf(bodyPath), needed, inside, code);
  };
  const unknownKey = (place: DocumentPath) => {
    const bodyPath = place.length === 1 ? bodies.get(String(place[0])) : undefined;
    return bodyPath === undefined
      ? fileFault(file, `Unknown key ${String(place.at(-1))}`, text.positionOfKey(place))
      : fileFault(fileOf(bodyPath), `${file} has no such file beside it`);
  };
  // A schema would report each of thousands of keys.
  const excess = findExcess(part.schema, value ?? {}, faultsMax);
  if (excess.length > 0) {
    for (const { path: place, message } of excess) {
      faults.add(message === "Unknown field" ? unknownKey(place) : at(place, message));
    }
    return undefined;
  }
  const result = part.schema.safeParse(value ?? {});
  if (result.success) {
    return {
      ...{ path, names, value: result.data, faultAt: at },
      faultAtKey: (place, message) => fileFault(file, message, text.positionOfKey(place)),
    };
  }
  for (const issue of result.error.issues.slice(0, faultsMax)) {
    const place = issue.path as DocumentPath;
    if (issue.code === "unrecognized_keys") {
      faults.add(...issue.keys.slice(0, faultsMax).map((key) => unknownKey([...place, key])));
    } else faults.add(at(place, issue.message));
  }
  return undefined;
}
