import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isExactNumber, isObject, isPortablePath, partNames, writeExactJson } from "@rowhouse/wire";
import { z } from "zod";
import { CommandError } from "../../base/command-error.ts";
import { readValue, type VariableValue } from "../../yaml/yaml-values.ts";
import { requirePlace } from "../folder.ts";

/** The file in which `pull` records what it has written. It belongs into the repository. */
export const manifestPath = ".rowhouse/pulled.json";

/** The state of a file after a pull. */
export interface Pulled {
  /** Digest of the file. */
  readonly sha256: string;
  /** Digest of what the service had: of the values of a document, so that words and order do not count. */
  readonly service: string;
}

/** What the last pull wrote, by path. */
export type Manifest = ReadonlyMap<string, Pulled>;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const entry = z.strictObject({ sha256: hash, service: hash });
const schema = z.strictObject({
  version: z.literal(1),
  files: z.record(z.string().refine(isPulledPath, "is no path of a configuration"), entry),
  /** Of a pull that was interrupted: the entries before it of the files that it changes; null for new ones. */
  interrupted: z.record(z.string(), entry.nullable()).optional(),
});

/** Whether `pull` may write a path. */
function isPulledPath(path: string): boolean {
  return isPortablePath(path) || schemaPaths.has(path);
}

/** Returns the path of the JSON Schema of a part. */
export function schemaPathOf(part: string): string {
  return `schemas/${part}.json`;
}

const schemaPaths: ReadonlySet<string> = new Set(partNames.map(schemaPathOf));

/** Returns the digest of a text, whatever its line breaks: Git changes them on Windows. */
export function digestOfText(text: string): string {
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  return createHash("sha256").update(plain).digest("hex");
}

/** Returns the digest of what a file says: of its values, if it is a document. */
export function digestOfMeaning(
  path: string,
  text: string,
  variableOf: VariableValue = () => undefined,
): string {
  const plain = text.replace(/^\ufeff/, "");
  const value = path.endsWith(".yaml") ? readValue(plain, variableOf) : undefined;
  return digestOfText(value === undefined ? text : writeExactJson(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value) || isExactNumber(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Returns an entry for a file and the text of the service that it stands for. */
export function pulledOf(path: string, file: string, service: string): Pulled {
  return { sha256: digestOfText(file), service: digestOfMeaning(path, service) };
}

/**
 * Reads the manifest of a folder. After an interrupted pull, each file counts as written or not by what it is now.
 *
 * @param digestAt returns the digest of a present file
 * @returns undefined if there is none
 * @throws CommandError for a manifest that no pull has written
 */
export async function readManifest(
  folder: string,
  digestAt: (path: string) => string | undefined,
): Promise<Manifest | undefined> {
  if ((await requirePlace(folder, manifestPath)) === undefined) return undefined;
  const { files, interrupted = {} } = parse(await readFile(join(folder, manifestPath), "utf8"));
  const entries = new Map<string, Pulled>(Object.entries(files));
  for (const [path, before] of Object.entries(interrupted)) {
    const digest = digestAt(path);
    if (digest !== undefined && digest === files[path]?.sha256) continue;
    if (before === null || (digest === undefined && files[path] === undefined))
      entries.delete(path);
    else entries.set(path, before);
  }
  return entries;
}

function parse(text: string): z.infer<typeof schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason = issue ? `${issue.path.join(" ")}: ${issue.message}` : (error as Error).message;
    throw new CommandError(
      `${manifestPath} is not as pull has written it (${reason}). Restore it, or delete it: pull then deletes no file.`,
    );
  }
}

/** Writes a manifest as a text: always the same bytes for the same files. */
export function writeManifest(
  files: Manifest,
  interrupted: ReadonlyMap<string, Pulled | null> = new Map(),
): string {
  const byPath = <Value>(map: ReadonlyMap<string, Value>) =>
    Object.fromEntries([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const rest = interrupted.size === 0 ? {} : { interrupted: byPath(interrupted) };
  return `${JSON.stringify({ version: 1, files: byPath(files), ...rest }, null, 2)}\n`;
}
