import type { Readable } from "node:stream";
import { type Authenticator, authenticationRequired, parseAuthorization } from "@rowhouse/access";
import { entityTagsOf, isKnownVersion } from "@rowhouse/data";
import { type Database, isUuid } from "@rowhouse/db";
import { AppError, createError, throwFaults } from "@rowhouse/errors";
import {
  type ByteRange,
  findFile,
  headersOf,
  type ImageVariant,
  ObjectMissing,
  type StoredFile,
} from "@rowhouse/files";
import { type EdgeContext, parseQueryStrict, type Service, standardHeaders } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import parseRange from "range-parser";
import { type CredentialCaller, callerWith } from "../caller/request-headers.ts";
import {
  createFileApi,
  type FileApi,
  type FileContext,
  type FileRoutesDependencies,
  fileCallerOf,
} from "../files/file-api.ts";
import type { FileRows } from "../files/file-rows.ts";
import type { FileTickets } from "../files/file-ticket.ts";
import { lengthOf, receiveFile } from "../files/received-file.ts";
import { replaceContent } from "../files/replace-content.ts";
import { uploadBody } from "../files/upload-body.ts";
import { fileDocuments, idSegment as id } from "./file-documents.ts";
import { mountFileLinkRoutes } from "./file-links.ts";
import { mountUploadRoutes } from "./file-uploads.ts";
import { respond } from "./rows.ts";

/** `/api/files`: the bytes of files. Their rows are those of `system.files`, which the routes of rows serve. */
export function mountFileRoutes(
  service: Service,
  dependencies: FileRoutesDependencies & { readonly authenticator: Authenticator },
): void {
  const api = createFileApi(dependencies);
  service.post("/api/files", (c) => createFile(c, api));
  mountUploadRoutes(service, api, dependencies.authenticator);
  service.get(`/api/files/${id}`, (c) => answerDownload(c, api));
  service.put(`/api/files/${id}/content`, (c) => replaceFile(c, api));
  mountFileLinkRoutes(service, api);
  service.get(`/api/files/${id}/:name`, (c) => answerDownload(c, api));
  for (const document of fileDocuments) service.openAPIRegistry.registerPath(document);
}

async function createFile(c: FileContext, api: FileApi): Promise<Response> {
  const { rows, uploads, snapshots } = api;
  const as = fileCallerOf(c);
  const { raw } = c.req;
  const settings = settingsOf(await snapshots.fresh());
  // A caller who may not create files sends no byte, and gets no other error.
  await rows.authorizeCreate({ name: "" }, as);
  const file = await receiveFile(raw, settings["files.upload_stall_ms"]);
  throwFaults(await rows.faultsOfCreate(file.fields, as));
  const userId = await rows.authorizeCreate(file.fields, as);
  const context = { userId, settings, signal: raw.signal };
  const uploadId = await uploads.receive(file.input, file.content, context);
  try {
    const answer = await rows.create(file.fields, uploadId, as);
    const headers = { ...answer.headers, ...locationOf(answer.data) };
    return respond(c, { answer: { ...answer, headers }, lease: null });
  } catch (error) {
    await uploads.discard(uploadId, userId);
    throw error;
  }
}

/** The address of the bytes; none if the caller may not read the id. */
function locationOf(data: string | null): { readonly Location?: string } {
  const { id } = JSON.parse(data ?? "{}") as { readonly id?: string };
  return id === undefined ? {} : { Location: `/api/files/${id}` };
}

async function replaceFile(c: FileContext, api: FileApi): Promise<Response> {
  const { raw } = c.req;
  const settings = settingsOf(await api.snapshots.fresh());
  const type = raw.headers.get("content-type");
  const answer = await replaceContent(api, {
    id: c.req.param("id") ?? "",
    as: fileCallerOf(c),
    settings,
    signal: raw.signal,
    input: { claimedType: type, length: lengthOf(raw.headers) },
    content: uploadBody(raw.body, settings["files.upload_stall_ms"]),
    ifMatch: readIfMatch(raw.headers),
  });
  return respond(c, { answer, lease: null });
}

/** @throws AppError QUERY_INVALID */
function readIfMatch(headers: Headers): readonly string[] | null {
  const text = headers.get("if-match");
  return text === null ? null : entityTagsOf(text);
}

const parameters = { single: ["ticket", "download", "preset"] } as const;

/** `GET` and `HEAD` of the bytes of a file, whole or in part. */
async function answerDownload(c: FileContext, api: FileApi): Promise<Response> {
  const { raw } = c.req;
  const { requestId } = c.env.edge;
  const { file, prove, callerKey, linkSeconds } = await openDownload(
    api,
    c.req.param("id") ?? "",
    raw,
    c.env.edge,
  );
  const { single: query } = parseQueryStrict(raw.url, parameters);
  const { bytes, mediaType, version, storageKey } = await formOf(
    api,
    file,
    query.get("preset"),
    callerKey,
  );
  const tag = `"${version}"`;
  const isAttachment = query.has("download");
  const headers: Record<string, string> = standardHeaders(requestId, {
    ...headersOf(
      { name: file.name, mediaType },
      { isPublic: file.isPublic, linkSeconds, isAttachment },
    ),
    ETag: tag,
    "Accept-Ranges": "bytes",
  });
  if (isKnownVersion(raw.headers, tag)) return new Response(null, { status: 304, headers });
  const range = rangeOf(raw, bytes, tag);
  const length = range === undefined ? bytes : range.end - range.start + 1;
  headers["Content-Length"] = String(length);
  if (range !== undefined) headers["Content-Range"] = `bytes ${range.start}-${range.end}/${bytes}`;
  const status = range === undefined ? 200 : 206;
  if (raw.method === "HEAD" || length === 0) return new Response(null, { status, headers });
  const content = await api.storage.get(storageKey, bytes, range).catch((cause: unknown) => {
    throw cause instanceof ObjectMissing ? createError("INTERNAL_ERROR", { cause }) : cause;
  });
  return new Response(downloadBody(content, prove), { status, headers });
}

/** The form of a file that a request names: the bytes themselves, or an image in the form of a preset. */
async function formOf(
  { snapshots, variants }: FileApi,
  file: StoredFile,
  preset: string | undefined,
  callerKey: string | null,
): Promise<ImageVariant> {
  if (preset === undefined) return { ...file, version: file.sha256 };
  const settings = settingsOf(await snapshots.fresh());
  return variants.variantOf(file, { preset, userId: callerKey, settings });
}

/**
 * Returns the part of a file that a request asks for; undefined for the whole file, which also answers several ranges,
 * other units, a part of another version than the current one, and a method other than GET (RFC 9110, section 14.2).
 *
 * @param tag the entity tag of the current version
 * @throws AppError RANGE_INVALID
 */
function rangeOf(
  { method, headers }: Pick<Request, "method" | "headers">,
  bytes: number,
  tag: string,
): ByteRange | undefined {
  const range = headers.get("range");
  const version = headers.get("if-range");
  if (method !== "GET" || range === null || (version !== null && version !== tag)) return undefined;
  // The last bytes of a file that has fewer are all of it; the library refuses them.
  const last = Number(/^bytes=-([0-9]{1,15})$/.exec(range)?.[1] ?? 0);
  if (bytes > 0 && last >= bytes) return { start: 0, end: bytes - 1 };
  const ranges = parseRange(bytes, range, { combine: true });
  if (ranges === -1) {
    throw createError("RANGE_INVALID", { headers: { "Content-Range": `bytes */${bytes}` } });
  }
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** Interval in which a running download proves again that its caller may read the file, in milliseconds. */
const proveMs = 1000;

/**
 * The bytes of a download, as its reader takes them. While it runs, the right of its caller is proven about once a
 * second; it breaks off when the right has ended.
 *
 * @param prove rejects when the caller may no longer read the file
 */
function downloadBody(
  content: Readable,
  prove: (() => Promise<void>) | undefined,
): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let provenAt = performance.now();
  const proveAgain = (): void => {
    if (prove === undefined || performance.now() - provenAt < proveMs) return;
    provenAt = performance.now();
    prove().catch((error: Error) => content.destroy(error));
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        proveAgain();
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        content.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

export interface FileAccessDependencies {
  readonly database: Database;
  readonly rows: FileRows;
  readonly tickets: FileTickets;
}

/** A file that the caller may read now. */
export interface ReadableFile {
  readonly file: StoredFile;
  /**
   * Proves the right again. Undefined for a public file.
   *
   * @throws as `openFile`
   */
  readonly prove: (() => Promise<void>) | undefined;
  /** Distinguishes callers; null for one without a credential. */
  readonly callerKey: string | null;
  /** Seconds until the ticket of the request expires; undefined without one. */
  readonly linkSeconds?: number | undefined;
}

/**
 * Finds a file as `openFile`. A public one is open without a credential, and with any that is invalid.
 *
 * @throws AppError as `openFile`
 */
async function openDownload(
  access: FileAccessDependencies,
  id: string,
  request: Request,
  edge: EdgeContext,
): Promise<ReadableFile> {
  try {
    return await openFile(access, id, request, edge);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "AUTHENTICATION_REQUIRED") throw error;
    const file = publicFile(await findFile(access.database, id), error);
    return { file, prove: undefined, callerKey: null };
  }
}

/**
 * Finds a file for the caller of a request: by the credential in `Authorization`, or by a ticket. A missing file and one
 * that the caller may not read get the same error, after the same queries.
 *
 * @throws AppError NOT_FOUND; AUTHENTICATION_REQUIRED for an invalid credential or ticket, and without one
 */
async function openFile(
  { database, rows, tickets }: FileAccessDependencies,
  id: string,
  request: Request,
  edge: EdgeContext,
): Promise<ReadableFile> {
  if (!isUuid(id)) throw createError("NOT_FOUND");
  const { caller, linkSeconds } = await readerOf(id, request, edge, tickets);
  const callerKey = caller.credential.digest;
  const prove = () => rows.requireReadable(id, { caller });
  const [file, refusal] = await Promise.all([findFile(database, id), prove().catch(refusalOf)]);
  if (refusal !== undefined)
    return { file: publicFile(file, refusal), prove: undefined, callerKey };
  if (file === undefined) throw createError("NOT_FOUND");
  return { file, prove, callerKey, linkSeconds };
}

/** @throws AppError AUTHENTICATION_REQUIRED without a credential, and for one that is malformed or has expired */
async function readerOf(
  id: string,
  request: Request,
  edge: EdgeContext,
  tickets: FileTickets,
): Promise<{ readonly caller: CredentialCaller; readonly linkSeconds?: number }> {
  const authorization = request.headers.get("authorization");
  const ticket = new URL(request.url).searchParams.get("ticket");
  if (authorization === null && ticket !== null) {
    const read = await tickets.read(id, ticket);
    if (read === undefined) throw authenticationRequired();
    return { caller: callerWith(read.credential, edge), linkSeconds: read.secondsLeft };
  }
  const credential = parseAuthorization(authorization);
  if (credential === undefined) throw authenticationRequired();
  return { caller: callerWith(credential, edge) };
}

function publicFile(file: StoredFile | undefined, refusal: Error): StoredFile {
  if (file?.isPublic) return file;
  throw refusal;
}

/** The error of a caller without the right; any other error, such as of an invalid credential, is thrown. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError && error.code === "NOT_FOUND") return error;
  throw error;
}
