import { stat } from "node:fs/promises";
import type { MoveStep, StorageConfig } from "@rowhouse/files";
import { CommandError, sentenceOf } from "./base/command-error.ts";
import type { MoveFilesOptions } from "./config.ts";

/**
 * Copies the objects of files to another storage, and prints how many.
 *
 * @throws CommandError for a place that cannot be used, or an object that could not be copied
 */
export async function moveFiles({ from, to, environment }: MoveFilesOptions): Promise<void> {
  if (from === to) throw new CommandError("--from and --to are the same place.");
  // Loaded here, because other commands need neither the SDK nor the packages under it.
  const { moveObjects, openStorage, storageAt } = await import("@rowhouse/files");
  const open = async (place: string) => {
    const config = storageAt(place, environment);
    const storage = openStorage(config);
    if (place === from) await checkSource(config);
    await storage.ping();
    return storage;
  };
  const [source, target] = await Promise.all([open(from), open(to)]).catch((error: unknown) => {
    throw new CommandError(sentenceOf(error));
  });
  const count = { copied: 0, present: 0, gone: 0 };
  let bytes = 0;
  const onStep = (step: MoveStep) => {
    count[step.outcome] += 1;
    if (step.outcome === "copied") bytes += step.bytes;
  };
  await moveObjects({ from: source, to: target, onStep }).catch((error: unknown) => {
    const done = count.copied + count.present;
    throw new CommandError(`${sentenceOf(error)} ${done} objects are in ${to}; run it again.`);
  });
  process.stdout.write(
    `Copied ${count.copied} objects (${bytes} bytes) to ${to}; ${count.present} were there already.\nEach has the same SHA-256 in both places. ${from} is unchanged.\n`,
  );
}

/** Opening a folder creates it, so that a misspelled source would be an empty one. */
async function checkSource(config: StorageConfig): Promise<void> {
  if (config.kind === "S3") return;
  const found = await stat(config.path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new CommandError(`There is no folder ${config.path}.`);
}
