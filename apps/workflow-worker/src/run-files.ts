import { createHash } from "node:crypto";
import type { RowEngine } from "@rowhouse/access";
import { AttachmentUnavailable, type ReadAttachment } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import {
  contentFields,
  createFileUploads,
  findFile,
  requireContent,
  type Storage,
} from "@rowhouse/files";
import { UserSemaphore } from "@rowhouse/limits";
import type { Settings } from "@rowhouse/settings";
import type { RunFiles } from "@rowhouse/workflows";

export interface RunFilesDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly rows: Pick<RowEngine, "getRow">;
  readonly settings: () => Promise<Settings>;
}

/** Files of runs: rights by the rows, bytes by the storage. */
export function createRunFiles({
  database,
  storage,
  rows,
  settings,
}: RunFilesDependencies): RunFiles {
  const uploads = createFileUploads(database, storage);
  // Runs of one user wait for each other, instead of failing by `files.max_uploads_per_user`.
  const turns = new UserSemaphore({
    permits: 4,
    perUser: 1,
    waitingMax: 1000,
    waitMs: 300_000,
    busy: () => createError("SERVICE_UNAVAILABLE"),
  });
  return {
    upload: ({ name, claimedType, content }, { userId }, signal) =>
      turns.within(userId, async () => {
        const context = { userId, settings: await settings(), signal };
        const input = { name, claimedType, length: content.length };
        return uploads.receive(input, oneChunk(content), context);
      }),
    discard: (uploadId, { userId }) => uploads.discard(uploadId, userId),
    describe: async (id, as, on) => {
      const row = { schema: "system", table: "files", id: [id], fields: contentFields };
      await requireContent(() => rows.getRow(row, as, on));
      const file = await findFile(database, id);
      if (file === undefined) throw createError("NOT_FOUND");
      const { name, mediaType, bytes, sha256 } = file;
      return { id, name, mediaType, bytes, sha256 };
    },
    read: async ({ id, sha256 }) => {
      const file = await findFile(database, id);
      if (file?.sha256 !== sha256) throw createError("NOT_FOUND");
      const chunks: Uint8Array[] = [];
      for await (const chunk of await storage.get(file.storageKey, file.bytes)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** Creates the reader of attachments, which checks the right again: a mail can wait for hours in the outbox. */
export function createAttachmentReader(files: Pick<RunFiles, "describe" | "read">): ReadAttachment {
  return async ({ id, sha256 }, as) => {
    try {
      const file = await files.describe(id, as);
      const bytes = await files.read({ ...file, sha256 });
      if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
    } catch (error) {
      if (!(error instanceof AppError && ended.has(error.code))) throw error;
    }
    throw new AttachmentUnavailable(
      "The attachment was deleted or changed, or the user of the run may not read it",
    );
  };
}

/** Codes that no later attempt changes. */
const ended: ReadonlySet<string> = new Set(["NOT_FOUND", "AUTHENTICATION_REQUIRED"]);

async function* oneChunk(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
