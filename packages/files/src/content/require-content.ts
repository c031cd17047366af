import { AppError, createError } from "@rowhouse/errors";

/** The fields of the row that the right to the bytes depends on. */
export const contentFields = "id,content";

/** Codes by which the data engine refuses a row or a field. */
const hiding: ReadonlySet<string> = new Set([
  "ACTION_DENIED",
  "FIELD_UNKNOWN",
  "METHOD_NOT_ALLOWED",
  "NOT_FOUND",
]);

/**
 * Ensures that a caller may read the row of a file and its field `content`: then the caller may read the bytes.
 *
 * @param readRow reads `contentFields` of the row as this caller
 * @throws AppError NOT_FOUND if not, and every other error of `readRow`, such as of an invalid credential
 */
export async function requireContent(readRow: () => Promise<unknown>): Promise<void> {
  const row = await readRow().catch((error: unknown) => {
    // A file that the caller may not read does not exist for the caller.
    throw isHidden(error) ? createError("NOT_FOUND") : error;
  });
  // A field that is hidden in this row is absent from the answer.
  if (!hasContent(row)) throw createError("NOT_FOUND");
}

/**
 * Returns the ids of files whose bytes a caller may read, of those that the caller asks for.
 *
 * @param readRows reads `contentFields` of the rows as this caller
 * @throws AppError as `readRows` for everything except the right, such as an invalid credential
 */
export async function readableFiles(
  readRows: () => Promise<readonly { readonly id: string }[]>,
): Promise<ReadonlySet<string>> {
  const rows = await readRows().catch((error: unknown) => {
    if (isHidden(error)) return [];
    throw error;
  });
  return new Set(rows.filter(hasContent).map(({ id }) => id));
}

function isHidden(error: unknown): boolean {
  return error instanceof AppError && hiding.has(error.code);
}

function hasContent(row: unknown): boolean {
  return typeof (row as { readonly content?: unknown } | null)?.content === "string";
}
