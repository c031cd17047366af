import { entityTagsOf } from "@rowhouse/data";
import { isUuid } from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import type { Upload, UploadContext } from "@rowhouse/files";
import type { FileApi } from "./file-api.ts";
import type { FileCaller, FileFields } from "./file-rows.ts";
import { fieldsOf, settableFields } from "./received-file.ts";
import { attachContent } from "./replace-content.ts";

/** What becomes of a resumable upload: a new file, or a new version of one. */
export type UploadPurpose =
  | { readonly kind: "CREATE"; readonly fields: FileFields }
  | { readonly kind: "REPLACE"; readonly id: string; readonly ifMatch: readonly string[] | null };

/**
 * Reads the metadata of a resumable upload.
 *
 * @throws AppError BODY_INVALID
 */
export function purposeOf(
  name: string,
  metadata: Readonly<Record<string, string | null>>,
): UploadPurpose {
  const texts = new Map(Object.entries(metadata).map(([key, text]) => [key, text ?? ""]));
  const id = texts.get("file_id");
  const known = id === undefined ? settableFields : replacingFields;
  throwFaults(
    [...texts.keys()]
      .filter((key) => !known.has(key) || key === "name")
      .map((key) =>
        createFault("BODY_INVALID", { path: "Upload-Metadata", message: `Unknown field ${key}` }),
      ),
  );
  if (id === undefined) return { kind: "CREATE", fields: fieldsOf(texts, name) };
  if (!isUuid(id)) throw createError("NOT_FOUND");
  const ifMatch = texts.get("if_match");
  return {
    ...{ kind: "REPLACE", id },
    ifMatch: ifMatch === undefined ? null : entityTagsOf(ifMatch, "Upload-Metadata"),
  };
}

const replacingFields: ReadonlySet<string> = new Set(["file_id", "if_match"]);

/** Proves that the caller may now write the file of an upload. @throws AppError as the Data API */
export async function authorizeUpload(
  api: Pick<FileApi, "rows">,
  { name, metadata }: Upload,
  as: FileCaller,
): Promise<UploadPurpose> {
  const purpose = purposeOf(name, metadata as Record<string, string | null>);
  await authorizePurpose(api, purpose, as);
  return purpose;
}

/** Proves that the caller may write the file. @throws AppError as the Data API */
export function authorizePurpose(
  { rows }: Pick<FileApi, "rows">,
  purpose: UploadPurpose,
  as: FileCaller,
): Promise<string> {
  return purpose.kind === "CREATE"
    ? rows.authorizeCreate(purpose.fields, as)
    : rows.authorizeReplace(purpose.id, as);
}

/**
 * Makes a whole upload the content of its file. A file that already took it stays as it is.
 *
 * @returns the id of the file
 * @throws AppError as the Data API, and of an upload
 */
export async function finishUpload(
  api: FileApi,
  upload: Upload,
  as: FileCaller,
  context: UploadContext,
): Promise<string> {
  if (upload.fileId !== null) return upload.fileId;
  const purpose = await authorizeUpload(api, upload, as);
  await api.uploads.join(upload, context);
  if (purpose.kind === "REPLACE") {
    await attachContent(api, { ...purpose, uploadId: upload.id, as });
    return purpose.id;
  }
  const { data } = await api.rows.create(purpose.fields, upload.id, as);
  const { id } = JSON.parse(data ?? "{}") as { readonly id?: string };
  const attached = id ?? (await api.uploads.find(upload.id, context.userId))?.fileId;
  if (attached == null) throw createError("INTERNAL_ERROR");
  return attached;
}
