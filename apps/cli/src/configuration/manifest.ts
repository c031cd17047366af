import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPortablePath, partNames } from "@rowhouse/wire";
import { z } from "zod";
import { CommandError } from "../base/command-error.ts";
import { requirePlace } from "./folder.ts";

/** The file in which `pull` records what it has written. It belongs into the repository. */
export const manifestPath = ".rowhouse/pulled.json";

/** The state of a file after a pull. */
export interface Pulled {
  /** Digest of the file. */
  readonly sha256: string;
  /** Digest of the text of the service, if the file has the words of its author. */
  readonly service?: string | undefined;
}

/** What the last pull wrote, by path. */
export type Manifest = ReadonlyMap<string, Pulled>;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const entry = z.strictObject({ sha256: hash, service: hash.optional() });
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

/** Returns the digest of the service's text at the last pull. */
export function serviceDigest({ sha256, service }: Pulled): string {
  return service ?? sha256;
}

/** Returns an entry for a file and the text of the service that it stands for. */
export function pulledOf(file: string, service: string): Pulled {
  const [sha256, other] = [digestOfText(file), digestOfText(service)];
  return sha256 === other ? { sha256 } : { sha256, service: other };
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
  const sorted = <Value>(map: ReadonlyMap<string, Value>) =>
    Object.fromEntries([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const rest = interrupted.size === 0 ? {} : { interrupted: sorted(interrupted) };
  return `${JSON.stringify({ version: 1, files: sorted(files), ...rest }, null, 2)}\n`;
}
