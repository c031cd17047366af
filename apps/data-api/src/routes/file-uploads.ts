import type { Authenticator } from "@rowhouse/access";
import { entityTagsOf } from "@rowhouse/data";
import { isUuid } from "@rowhouse/db";
import {
  AppError,
  createError,
  type ErrorCode,
  type Fault,
  renderError,
  throwFaults,
} from "@rowhouse/errors";
import type { Upload, UploadContext } from "@rowhouse/files";
import { answerRendered, type Service, standardHeaders } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { MemoryLocker, Server } from "@tus/server";
import { type FileApi, type FileContext, fileCallerOf } from "../files/file-api.ts";
import type { FileCaller, FileFields } from "../files/file-rows.ts";
import { fileFieldsOf, settableFields } from "../files/received-file.ts";
import { attachContent, changedMessage, hasVersion } from "../files/replace-content.ts";
import { faultOfType, metadataFault, readCreation } from "../files/tus-creation.ts";
import { readMetadata, TusStore } from "../files/tus-store.ts";
import { uploadDocuments } from "./file-documents.ts";

const path = "/api/files/uploads";

/** How long an upload that another request continues may still receive, in milliseconds. */
const drainMs = 300;

/** Names the file in the response that completes an upload, and in later ones about it. */
const fileHeader = "Rowhouse-File";

/**
 * Resumable uploads by the protocol tus 1.0 (https://tus.io/protocols/resumable-upload). An upload whose bytes have all
 * arrived becomes a file, or the new version of one, with the response of its last request.
 */
export function mountUploadRoutes(
  service: Service,
  api: FileApi,
  authenticator: Authenticator,
): void {
  // A request that continues an upload ends an earlier one that hangs.
  const locker = new MemoryLocker();
  const answer = (c: FileContext) => answerTus(c, api, authenticator, locker);
  service.on(["OPTIONS", "POST"], path, answer);
  service.on(["OPTIONS", "GET", "PATCH", "DELETE"], `${path}/:id`, answer);
  for (const document of uploadDocuments) service.openAPIRegistry.registerPath(document);
}

async function answerTus(
  c: FileContext,
  api: FileApi,
  authenticator: Authenticator,
  locker: MemoryLocker,
): Promise<Response> {
  const { raw } = c.req;
  const { requestId } = c.env.edge;
  // The protocol has no GET; the route exists for HEAD.
  if (raw.method === "GET") throw createError("NOT_FOUND");
  const as = fileCallerOf(c);
  const { userId } = await authenticator.authenticate(raw.headers.get("authorization"));
  requireProtocol(raw);
  const settings = settingsOf(await api.snapshots.fresh());
  const context = { userId, settings, signal: raw.signal };
  if (raw.method === "POST") await requireCreation(api, raw.headers, as, context);
  const store = new TusStore(api, context);
  let failure: unknown;
  const server = new Server({
    ...{ path, datastore: store, locker, relativeLocation: true, lockDrainTimeout: drainMs },
    onUploadFinish: async (_request, { id }) => {
      const fileId = await finishUpload(api, await store.require(id), as, context);
      return { headers: { [fileHeader]: fileId } };
    },
    onResponseError: (_request, error) => {
      failure = error;
      return undefined;
    },
  });
  const id = raw.method === "OPTIONS" ? undefined : c.req.param("id");
  const upload = id === undefined ? undefined : await store.require(id);
  const isWhole = upload !== undefined && upload.received === upload.length;
  // Before the first byte of a part; the end proves it again.
  if (raw.method === "PATCH" && upload?.fileId === null) await authorizeUpload(api, upload, as);
  // A process may have ended after the last part, and before the file took the upload.
  const fileId =
    isWhole && raw.method === "HEAD" ? await finishUpload(api, upload, as, context) : null;
  const answer = await server.handleWeb(raw);
  if (answer.status >= 400) {
    return answerRendered(renderError(await errorOf(answer, failure), requestId), requestId);
  }
  const headers = new Headers(standardHeaders(requestId));
  for (const [name, value] of answer.headers) {
    // The gateway answers pages of other origins.
    if (!name.startsWith("access-control-")) headers.set(name, value);
  }
  if (fileId !== null) headers.set(fileHeader, fileId);
  return new Response(answer.body, { status: answer.status, headers });
}

const version = "1.0.0";

/** @throws AppError PRECONDITION_FAILED for another version of the protocol; BODY_INVALID for an extension that is missing */
function requireProtocol({ method, headers }: Request): void {
  if (method !== "OPTIONS" && headers.get("tus-resumable") !== version) {
    throw createError("PRECONDITION_FAILED", {
      message: `Tus-Resumable must be ${version}`,
      headers: { "Tus-Version": version },
    });
  }
  for (const [header, extension] of [
    ["Upload-Defer-Length", "creation-defer-length"],
    ["Upload-Concat", "concatenation"],
    ["Upload-Checksum", "checksum"],
  ] as const) {
    if (headers.has(header)) {
      throw createError("BODY_INVALID", {
        path: header,
        message: `The extension ${extension} of tus is not supported`,
      });
    }
  }
}

/**
 * Checks everything that a request says of the upload that it begins, so that an upload which begins can end.
 *
 * @throws AppError with all faults; first of all, alone, the one of a caller who may not write the file
 */
async function requireCreation(
  api: FileApi,
  headers: Headers,
  as: FileCaller,
  context: UploadContext,
): Promise<void> {
  const { metadata, length, faults: malformed } = readCreation(headers);
  const { filename, filetype, fields } = readMetadata(metadata);
  const { purpose, faults: unknown } = readPurpose(filename ?? "", fields);
  const refused =
    purpose.kind === "CREATE"
      ? await faultsOfFields(api, purpose.fields, as)
      : await faultsOfReplace(api, purpose, as);
  const faults = [...malformed, ...unknown];
  if (filename == null || filename === "") {
    faults.push(metadataFault("BODY_INVALID", "filename", "filename is required"));
  } else faults.push(...refused);
  const type = faultOfType(filetype, context.settings);
  if (type !== undefined) faults.push(type);
  if (length !== undefined) {
    await api.uploads.requireRoom(length, context).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status !== 413) throw error;
      faults.push(...error.faults.map((fault) => ({ path: "Upload-Length", ...fault })));
    });
  }
  throwFaults(faults);
}

async function faultsOfFields(
  { rows }: Pick<FileApi, "rows">,
  fields: FileFields,
  as: FileCaller,
): Promise<readonly Fault[]> {
  const faults = await rows.faultsOfCreate(fields, as);
  return faults.map(({ code, path = "", message }) => {
    const field = path.replace("/data/", "");
    return metadataFault(code, field === "name" ? "filename" : field, message);
  });
}

async function faultsOfReplace(
  api: FileApi,
  { id, ifMatch }: Extract<UploadPurpose, { kind: "REPLACE" }>,
  as: FileCaller,
): Promise<readonly Fault[]> {
  await api.rows.authorizeReplace(id, as);
  if (await hasVersion(api, id, ifMatch)) return [];
  // A caller who may not read the file sees no difference.
  await api.rows.requireReadable(id, as);
  return [metadataFault("PRECONDITION_FAILED", "if_match", changedMessage)];
}

const codes: Readonly<Record<number, ErrorCode>> = {
  404: "NOT_FOUND",
  409: "CONFLICT",
  410: "NOT_FOUND",
  412: "PRECONDITION_FAILED",
  413: "BODY_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
};

/** The error of the contract for a response of the protocol's library. */
async function errorOf(answer: Response, failure: unknown): Promise<unknown> {
  if (failure instanceof Error) return failure;
  const message = (await answer.text()).trim();
  if (answer.status >= 500) return createError("INTERNAL_ERROR", { cause: failure ?? message });
  return createError(codes[answer.status] ?? "BODY_INVALID", { message });
}

/** What becomes of a resumable upload: a new file, or a new version of one. */
export type UploadPurpose =
  | { readonly kind: "CREATE"; readonly fields: FileFields }
  | { readonly kind: "REPLACE"; readonly id: string; readonly ifMatch: readonly string[] | null };

/** Reads the metadata of a resumable upload. @throws AppError NOT_FOUND for a file that cannot exist */
function readPurpose(
  name: string,
  metadata: Readonly<Record<string, string | null>>,
): { readonly purpose: UploadPurpose; readonly faults: readonly Fault[] } {
  const texts = new Map(Object.entries(metadata).map(([key, text]) => [key, text ?? ""]));
  const id = texts.get("file_id");
  const known = id === undefined ? settableFields : replacingFields;
  const unknown = [...texts.keys()].filter((key) => !known.has(key) || key === "name");
  const faults = unknown.map((key) => metadataFault("BODY_INVALID", key, "Unknown field"));
  for (const key of unknown) texts.delete(key);
  if (id === undefined) {
    return { purpose: { kind: "CREATE", fields: fileFieldsOf(texts, name) }, faults };
  }
  if (!isUuid(id)) throw createError("NOT_FOUND");
  const text = texts.get("if_match");
  const ifMatch = text === undefined ? null : entityTagsOf(text, "Upload-Metadata");
  return { purpose: { kind: "REPLACE", id, ifMatch }, faults };
}

const replacingFields: ReadonlySet<string> = new Set(["file_id", "if_match"]);

/** Proves that the caller may now write the file of an upload. @throws AppError as the Data API */
async function authorizeUpload(
  api: Pick<FileApi, "rows">,
  { name, metadata }: Upload,
  as: FileCaller,
): Promise<UploadPurpose> {
  const { purpose } = readPurpose(name, metadata as Record<string, string | null>);
  await (purpose.kind === "CREATE"
    ? api.rows.authorizeCreate(purpose.fields, as)
    : api.rows.authorizeReplace(purpose.id, as));
  return purpose;
}

/**
 * Makes a whole upload the content of its file. A file that already took it stays as it is.
 *
 * @returns the id of the file
 * @throws AppError as the Data API, and of an upload
 */
async function finishUpload(
  api: FileApi,
  upload: Upload,
  as: FileCaller,
  context: UploadContext,
): Promise<string> {
  if (upload.fileId !== null) return upload.fileId;
  return attachUpload(api, upload, as, context).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 401) throw error;
    throw error.mapFaults((fault) => ({ ...fault, message: `${refusedAtEnd}: ${fault.message}` }));
  });
}

const refusedAtEnd =
  "All bytes have arrived, but the file cannot take them, because its rights, its folder or its rules have changed since the upload began";

async function attachUpload(
  api: FileApi,
  upload: Upload,
  as: FileCaller,
  context: UploadContext,
): Promise<string> {
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
