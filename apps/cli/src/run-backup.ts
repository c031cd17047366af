import type { BackupOptions } from "./backup/variables.ts";
import { CommandError, sentenceOf } from "./base/command-error.ts";

/**
 * Backs up or restores an installation, and prints what was done.
 *
 * @throws CommandError for whatever ends it
 */
export async function runBackup(kind: "BACKUP" | "RESTORE", options: BackupOptions): Promise<void> {
  // Loaded here, because other commands need neither the driver nor the packages under it.
  const run =
    kind === "BACKUP"
      ? (await import("./backup/back-up.ts")).backUp
      : (await import("./backup/restore.ts")).restore;
  try {
    process.stdout.write(await run(options));
  } catch (error) {
    throw new CommandError(sentenceOf(error));
  }
}
