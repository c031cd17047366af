import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "@rowhouse/errors";
import { z } from "zod";

/** The names in the folder of a backup. */
export const parts = {
  manifest: "manifest.json",
  /** The schema `system`. */
  system: "system.dump",
  /** Everything else. */
  data: "data.dump",
  files: "files",
  secret: "secret",
  otherSecrets: "other-secrets",
} as const;

const schema = z.object({
  format: z.literal("rowhouse-backup-1"),
  /** When the dumps' snapshot was taken. */
  takenAt: z.iso.datetime(),
  /** Major version of the server. */
  postgres: z.int(),
  /** Major version of `pg_dump`; the format of its archives depends on it. */
  pgDump: z.int(),
});

/** What a backup says about itself. */
export type Manifest = z.output<typeof schema>;

/**
 * Reads the manifest of a backup.
 *
 * @throws StartError if the folder is no complete backup
 */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return schema.parse(JSON.parse(await readFile(join(folder, parts.manifest), "utf8")));
  } catch {
    throw new StartError(`${folder} is not a backup that this version can restore.`);
  }
}
