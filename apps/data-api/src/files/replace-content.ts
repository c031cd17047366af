import type { DataAnswer } from "@rowhouse/data";
import { schema } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { UploadInput } from "@rowhouse/files";
import type { Settings } from "@rowhouse/settings";
import { eq } from "drizzle-orm";
import type { FileApi } from "./file-api.ts";
import type { FileCaller } from "./file-rows.ts";

const { files } = schema;

/** New bytes of a file. */
export interface Replacement {
  readonly id: string;
  readonly as: FileCaller;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly input: Omit<UploadInput, "name">;
  readonly content: AsyncIterable<Uint8Array>;
  /** The entity tags of `If-Match`; null without the header. */
  readonly ifMatch: readonly string[] | null;
}

/**
 * Receives new bytes of a file and makes them its content.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED if the file has other bytes than those of `ifMatch`, the errors of
 * an upload and of a write by the Data API
 */
export async function replaceContent(api: FileApi, replacement: Replacement): Promise<DataAnswer> {
  const { rows, uploads } = api;
  const { id, as, settings, signal, input, content } = replacement;
  const userId = await rows.authorizeReplace(id, as);
  const current = await readVersion(api, id);
  // The bytes of a change that would be refused need not arrive. A caller who may not read the file sees no difference.
  if (current !== undefined && !matches(replacement.ifMatch, current.sha256)) {
    await rows.requireReadable(id, as);
    throw createError("PRECONDITION_FAILED", { message: changedMessage });
  }
  const name = current?.name ?? "";
  const context = { userId, settings, signal };
  const uploadId = await uploads.receive({ ...input, name }, content, context);
  try {
    return await attachContent(api, { id, uploadId, as, ifMatch: replacement.ifMatch });
  } catch (error) {
    await uploads.discard(uploadId, userId);
    throw error;
  }
}

/**
 * Makes a complete upload the content of a file.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, and as a write by the Data API
 */
export async function attachContent(
  { rows, database }: Pick<FileApi, "rows" | "database">,
  change: {
    readonly id: string;
    readonly uploadId: string;
    readonly as: FileCaller;
    readonly ifMatch: readonly string[] | null;
  },
): Promise<DataAnswer> {
  const { id, uploadId, as, ifMatch } = change;
  return database.transaction(async (transaction) => {
    const [before] = await transaction.orm
      .select({ sha256: files.sha256 })
      .from(files)
      .where(eq(files.id, id))
      .for("update");
    // First, so that a file that the caller may not change is missing, and not a file with another version.
    const answer = await rows.replace(id, uploadId, as, transaction);
    if (before !== undefined && !matches(ifMatch, before.sha256)) {
      throw createError("PRECONDITION_FAILED", { message: changedMessage });
    }
    return answer;
  });
}

export const changedMessage = "The file has other bytes than those that If-Match names";

/** Returns whether a file has a version of `ifMatch`, or does not exist. */
export async function hasVersion(
  api: Pick<FileApi, "database">,
  id: string,
  ifMatch: readonly string[] | null,
): Promise<boolean> {
  const current = await readVersion(api, id);
  return current === undefined || matches(ifMatch, current.sha256);
}

function matches(ifMatch: readonly string[] | null, sha256: string | null): boolean {
  if (ifMatch === null) return true;
  return sha256 !== null && (ifMatch.includes("*") || ifMatch.includes(sha256));
}

async function readVersion({ database: { orm } }: Pick<FileApi, "database">, id: string) {
  const [row] = await orm
    .select({ name: files.name, sha256: files.sha256 })
    .from(files)
    .where(eq(files.id, id));
  return row;
}
