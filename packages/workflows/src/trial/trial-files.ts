import { createHash, randomUUID } from "node:crypto";
import type { FileReader, RunFile, UploadInput } from "../effect/run-files.ts";

/** The bytes that a trial keeps for its later steps. */
const keptBytesMax = 33_554_432;

/** The files of a trial: those of the installation, to read, and those that its steps would have made, in memory. */
export class TrialFiles implements FileReader {
  readonly #stored: FileReader;
  readonly #made = new Map<string, { readonly file: RunFile; readonly content: Uint8Array }>();
  #keptBytes = 0;

  constructor(stored: FileReader) {
    this.#stored = stored;
  }

  readonly describe: FileReader["describe"] = async (id, as, on) =>
    this.#made.get(id)?.file ?? this.#stored.describe(id, as, on);

  readonly read: FileReader["read"] = async (file) =>
    this.#made.get(file.id)?.content ?? this.#stored.read(file);

  /** Keeps a file for the later steps, and describes it. */
  make({ name, claimedType, content }: UploadInput): RunFile {
    const file = {
      id: randomUUID(),
      name,
      mediaType: claimedType ?? "application/octet-stream",
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
    };
    this.#keptBytes += content.length;
    if (this.#keptBytes <= keptBytesMax) this.#made.set(file.id, { file, content });
    return file;
  }
}
