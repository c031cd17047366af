import { isDeepStrictEqual } from "node:util";
import { documentPathOf, partOfPath, pathStem } from "@rowhouse/wire";
import { mergeYaml } from "../../yaml/merge-yaml.ts";
import { readValue, type VariableValue } from "../../yaml/yaml-values.ts";
import { digestOfMeaning, digestOfText, type Manifest, type Pulled } from "./manifest.ts";

interface TextFile {
  /** The path of the file. */
  readonly file: string;
  readonly text: string;
}

/** A document with the texts beside it: as the folder has them, and as the service does. By the paths of documents. */
export interface PulledDocument {
  /** Their path without extension. */
  readonly stem: string;
  readonly own: ReadonlyMap<string, TextFile>;
  readonly service: ReadonlyMap<string, TextFile>;
  /** What the last pull wrote of it. */
  readonly pulled: ReadonlyMap<string, Pulled & Pick<TextFile, "file">>;
}

/** Groups files by documents, sorted by path. */
export function groupDocuments(
  own: ReadonlyMap<string, string>,
  service: ReadonlyMap<string, string>,
  pulled: Manifest,
): PulledDocument[] {
  const withFile = (files: ReadonlyMap<string, string>) =>
    byStem([...files].map(([file, text]) => [file, { file, text }]));
  const [mine, theirs] = [withFile(own), withFile(service)];
  const entries = byStem([...pulled].map(([file, entry]) => [file, { ...entry, file }]));
  const stems = [...new Set([...mine.keys(), ...theirs.keys(), ...entries.keys()])];
  return stems.toSorted().map((stem) => ({
    stem,
    own: mine.get(stem) ?? new Map(),
    service: theirs.get(stem) ?? new Map(),
    pulled: entries.get(stem) ?? new Map(),
  }));
}

function byStem<Value>(files: Iterable<readonly [string, Value]>): Map<string, Map<string, Value>> {
  const groups = new Map<string, Map<string, Value>>();
  for (const [file, value] of files) {
    const path = documentPathOf(file);
    const stem = pathStem(path);
    groups.set(stem, (groups.get(stem) ?? new Map()).set(path, value));
  }
  return groups;
}

/** Whether a file is not as the last pull left it, to the character. */
export function isTouched({ own, pulled }: PulledDocument): boolean {
  return [...own].some(([path, { text }]) => pulled.get(path)?.sha256 !== digestOfText(text));
}

/** Whether a file says something else than the last pull left in it; comments, order and variables do not count. */
export function isEdited({ own, pulled }: PulledDocument, variableOf: VariableValue): boolean {
  return [...own].some(([path, { text }]) => {
    const entry = pulled.get(path);
    if (entry?.sha256 === digestOfText(text)) return false;
    return entry?.service !== digestOfMeaning(path, text, variableOf);
  });
}

/** Whether the service has changed a document since the last pull. */
export function isChanged({ service, pulled }: PulledDocument): boolean {
  const isNew = [...service].some(
    ([path, { text }]) => pulled.get(path)?.service !== digestOfMeaning(path, text),
  );
  return isNew || [...pulled.keys()].some((path) => !service.has(path));
}

/**
 * Whether the service leaves more of a table or a view to other tools than its file says: a trigger, row security. No plan has
 * a step for that, and the table would be another one in a database that does not have it.
 */
export function leavesMore({ own, service }: PulledDocument): boolean {
  return [...service].some(([path, { text }]) => {
    const mine = own.get(path)?.text;
    if (mine === undefined || !/^(?:tables|views)\/.*\.yaml$/.test(path)) return false;
    const said = leftIn(plain(mine));
    return leftIn(text).some((name) => !said.some((one) => isDeepStrictEqual(one, name)));
  });
}

function leftIn(text: string): unknown[] {
  const value = readValue(text) as { managed?: unknown; elsewhere?: unknown } | null | undefined;
  const { managed, elsewhere } = value ?? {};
  const objects: unknown[] = Array.isArray(elsewhere) ? elsewhere : [];
  return managed === undefined ? objects : [...objects, { managed }];
}

/** Whether the files have texts beside the document that the service does not have, such as the HTML of a mail. */
export function hasOtherTexts({ own, service }: PulledDocument): boolean {
  return [...own.keys()].some((path) => !service.has(path));
}

/** A text of the service by the path of its document; undefined if the last apply did not have it. */
export type BaseOf = (path: string) => string | undefined;

/** Returns what the texts of parts were after their last apply. */
export function basesOf(
  drift: {
    readonly parts: readonly string[];
    readonly files: readonly { readonly path: string; readonly before: string | null }[];
  },
  service: ReadonlyMap<string, string>,
): BaseOf {
  const before = new Map(drift.files.map((file) => [documentPathOf(file.path), file.before]));
  const present = new Map([...service].map(([file, text]) => [documentPathOf(file), text]));
  return (path) => {
    const text = before.has(path) ? before.get(path) : present.get(path);
    return drift.parts.includes(partOfPath(path)) ? (text ?? undefined) : undefined;
  };
}

/** A document with the words of its author and the values of the service. */
export interface MergedDocument {
  /** By the paths of documents. */
  readonly texts: ReadonlyMap<string, string>;
  readonly replaced: readonly string[];
  readonly isContested: boolean;
}

/** @param baseOf undefined to take over each value that differs */
export function mergeFiles(
  { own, service }: PulledDocument,
  variableOf: VariableValue,
  baseOf: BaseOf | undefined,
): MergedDocument {
  const texts = new Map<string, string>();
  const replaced: string[] = [];
  let isContested = false;
  for (const [path, { text: theirs }] of service) {
    const mine = own.get(path)?.text;
    const base = baseOf?.(path);
    if (mine === undefined) texts.set(path, theirs);
    else if (path.endsWith(".yaml")) {
      const merged = mergeYaml(plain(mine), theirs, base, variableOf);
      texts.set(path, inStyleOf(mine, plain(mine), merged.text));
      replaced.push(...merged.replaced);
      isContested ||= merged.isContested;
    } else {
      const isUnchanged = base !== undefined && digestOfText(base) === digestOfText(theirs);
      const isKept = isUnchanged || digestOfText(mine) === digestOfText(theirs);
      texts.set(path, isKept ? mine : inStyleOf(mine, plain(mine), theirs));
      isContested ||= !isKept && base !== undefined && digestOfText(base) !== digestOfText(mine);
    }
  }
  return { texts, replaced: [...new Set(replaced)], isContested };
}

/** Whether the service is as the last apply left it. */
export function isAsApplied({ service }: PulledDocument, baseOf: BaseOf): boolean {
  return [...service].every(([path, { text }]) => baseOf(path) === text);
}

/** Whether the files say what the last apply did, so that nothing in them waits for one. */
export function saysBase(
  { own }: PulledDocument,
  variableOf: VariableValue,
  baseOf: BaseOf,
): boolean {
  return [...own].every(([path, { text }]) => {
    const base = baseOf(path);
    if (base === undefined) return false;
    return path.endsWith(".yaml")
      ? isDeepStrictEqual(readValue(plain(text), variableOf), readValue(base))
      : digestOfText(text) === digestOfText(base);
  });
}

/** Returns a text without byte order mark, and with LF if all its line breaks are CRLF. */
function plain(text: string): string {
  const bare = text.replace(/^\ufeff/, "");
  return hasCrlf(bare) ? bare.replaceAll("\r\n", "\n") : bare;
}

/** Returns a text with the byte order mark and the line breaks of the file that it replaces. */
function inStyleOf(file: string, before: string, text: string): string {
  if (text === before) return file;
  const mark = file.startsWith("\ufeff") ? "\ufeff" : "";
  return mark + (hasCrlf(file) ? text.replace(/\r?\n/g, "\r\n") : text);
}

function hasCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
}
