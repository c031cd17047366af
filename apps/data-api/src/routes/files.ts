import type { Authenticator } from "@rowhouse/access";
import { entityTagsOf } from "@rowhouse/data";
import { throwFaults } from "@rowhouse/errors";
import {
  envelope,
  faultsOf,
  jsonValue,
  readJsonBody,
  requireData,
  type Service,
  toPointer,
} from "@rowhouse/http";
import { settingsOf, withoutTrailingSlashes } from "@rowhouse/settings";
import { answerDownload } from "../files/answer-download.ts";
import { openFile } from "../files/file-access.ts";
import {
  createFileApi,
  type FileApi,
  type FileContext,
  type FileRoutesDependencies,
  fileCallerOf,
} from "../files/file-api.ts";
import { lengthOf, receiveFile } from "../files/received-file.ts";
import { replaceContent } from "../files/replace-content.ts";
import { uploadBody } from "../files/upload-body.ts";
import { fileDocuments, type LinkInput, linkInput } from "./file-documents.ts";
import { mountUploadRoutes } from "./file-uploads.ts";
import { respond } from "./rows.ts";

/** A UUID and nothing else, so that the paths of a schema with the name `files` keep their meaning. */
const id = ":id{[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}}";

/** `/api/files`: the bytes of files. Their rows are those of `system.files`, which the routes of rows serve. */
export function mountFileRoutes(
  service: Service,
  dependencies: FileRoutesDependencies & { readonly authenticator: Authenticator },
): void {
  const api = createFileApi(dependencies);
  service.post("/api/files", (c) => createFile(c, api));
  mountUploadRoutes(service, api, dependencies.authenticator); // /api/files/uploads
  service.get(`/api/files/${id}`, (c) => answerDownload(c, api));
  service.put(`/api/files/${id}/content`, (c) => replaceFile(c, api));
  service.post(`/api/files/${id}/link`, (c) => createLink(c, api));
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

const linkBytesMax = 4096;

async function createLink(c: FileContext, api: FileApi): Promise<Response> {
  const fileId = c.req.param("id") ?? "";
  const { caller } = fileCallerOf(c);
  const { file } = await openFile(api, fileId, c.req.raw, c.env.edge);
  const { lifetimeSeconds, preset } = await readLinkInput(c.req.raw);
  const ticket = await api.tickets.create(fileId, caller.credential, lifetimeSeconds);
  const settings = settingsOf(await api.snapshots.fresh());
  const query = new URLSearchParams(preset === undefined ? {} : { preset });
  query.set("ticket", ticket.text);
  const base = withoutTrailingSlashes(settings["files.public_url"] ?? "");
  const url = `${base}/api/files/${fileId}/${encodeURIComponent(file.name)}?${query}`;
  const expiresAt = ticket.expiresAt.toISOString();
  return jsonValue(201, envelope({ url, expiresAt }), c.env.edge.requestId);
}

async function readLinkInput(request: Request): Promise<LinkInput> {
  const { headers } = request;
  // A POST without a body may have an empty stream.
  if (headers.get("content-type") === null && !lengthOf(headers)) return linkInput.parse({});
  const data = requireData(await readJsonBody(request, { bytesMax: linkBytesMax }));
  const parsed = linkInput.safeParse(data);
  if (parsed.success) return parsed.data;
  throwFaults(
    faultsOf(parsed.error.issues, "BODY_INVALID", (keys) => toPointer(["data", ...keys])),
  );
  throw parsed.error;
}
