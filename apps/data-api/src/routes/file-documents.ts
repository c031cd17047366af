import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import { errorAnswers } from "@rowhouse/http";
import { ticketSecondsDefault } from "../files/file-ticket.ts";

// The routes of files stream their bodies and read their requests themselves, so their operations are declared here.

/** A UUID and nothing else, so that the paths of a schema with the name `files` keep their meaning. */
export const idSegment = ":id{[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}}";

/** The lifetime of a link, and the preset of the image that it opens. */
export const linkInput = z.strictObject({
  lifetimeSeconds: z.int().min(1).max(604_800).optional().openapi({
    default: ticketSecondsDefault,
    description: "At most the setting `files.link_max_lifetime_seconds`",
  }),
  preset: z.string().min(1).max(50).optional(),
});
export type LinkTerms = z.output<typeof linkInput>;

const linksMax = 200;
export const linksInput = linkInput.extend({ ids: z.array(z.string()).min(1).max(linksMax) });

const tags = ["Files"];
const linkFields = { url: z.string(), expiresAt: z.string().openapi({ format: "date-time" }) };
const fileRow = z.record(z.string(), z.unknown()).openapi({
  description: "The fields of the row in `system.files` that the caller may read",
});
const rowAnswer = (description: string) => ({
  description,
  content: { "application/json": { schema: z.object({ data: fileRow }) } },
});
const params = z.object({ id: z.guid() });
const bytes = z.string().openapi({ format: "binary" });
const anyBytes = { "application/octet-stream": { schema: bytes } };
const minimal = { description: "Done; `Prefer: return=minimal`" };

const always = [
  "AUTHENTICATION_REQUIRED",
  "NOT_FOUND",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
  "QUERY_TIMEOUT",
] as const;
/** The errors of a write of the row, and of the bytes. */
const refusals = errorAnswers(
  ...always,
  "QUERY_INVALID",
  "BODY_INVALID",
  "FIELD_UNKNOWN",
  "VALUE_INVALID",
  "REQUIRED_FIELD",
  "CHECK_VIOLATION",
  "ACTION_DENIED",
  "METHOD_NOT_ALLOWED",
  "FOREIGN_KEY_VIOLATION",
  "UNIQUE_VIOLATION",
  "CONFLICT",
  "PRECONDITION_FAILED",
  "BODY_TOO_LARGE",
  "STORAGE_LIMIT_EXCEEDED",
  "UNSUPPORTED_MEDIA_TYPE",
  "RATE_LIMIT_EXCEEDED",
);

const create = createRoute({
  ...{ method: "post", path: "/api/files", operationId: "createFile", tags },
  summary: "Upload a file",
  description:
    "The body is the bytes, with the fields in the query; or a form whose last part is the file, with the fields before it. The grant to create rows of `system.files` with these fields and `content` decides.",
  request: {
    query: z.object({
      name: z.string().optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      folder_id: z.guid().optional(),
      visibility: z.enum(["PRIVATE", "PUBLIC"]).optional(),
    }),
    body: {
      required: true,
      content: {
        ...anyBytes,
        "multipart/form-data": { schema: z.object({ file: bytes }).catchall(z.string()) },
      },
    },
  },
  responses: { 201: rowAnswer("The row of the file"), 204: minimal, ...refusals },
});

const download = {
  tags,
  description:
    "For callers who may read the row and its field `content`, for the holder of a link, and for everybody if the file is public. A file that the caller may not read is 404, as a missing one. `Range`, `If-Range` and `If-None-Match` apply.",
  security: [{}, { session: [] }, { token: [] }],
  responses: {
    200: { description: "The bytes, with their media type", content: { "*/*": { schema: bytes } } },
    206: { description: "A part of the bytes", content: { "*/*": { schema: bytes } } },
    304: { description: "The reader has this version" },
    ...errorAnswers(...always, "QUERY_INVALID", "RANGE_INVALID"),
  },
};
const query = z.object({
  download: z.string().optional().openapi({ description: "Sends the bytes as an attachment" }),
  preset: z
    .string()
    .optional()
    .openapi({ description: "A preset of the setting files.image_presets" }),
  ticket: z.string().optional().openapi({ description: "The ticket of a link" }),
});
const read = createRoute({
  ...download,
  ...{ method: "get", path: "/api/files/{id}", operationId: "readFile" },
  summary: "Download a file, or a part of it",
  request: { params, query },
});
const readNamed = createRoute({
  ...download,
  ...{ method: "get", path: "/api/files/{id}/{name}", operationId: "readNamedFile" },
  summary: "Download a file by an address with a name, which has no effect",
  request: { params: params.extend({ name: z.string() }), query },
});

const replace = createRoute({
  ...{ method: "put", path: "/api/files/{id}/content", operationId: "replaceFile", tags },
  summary: "Replace the bytes of a file by a new version",
  description:
    "The grant to update `content` of this row decides. `If-Match` names the version to replace.",
  request: {
    params,
    headers: z.object({ "If-Match": z.string().optional() }),
    body: { required: true, content: anyBytes },
  },
  responses: { 200: rowAnswer("The row of the file"), 204: minimal, ...refusals },
});

const link = createRoute({
  ...{ method: "post", path: "/api/files/{id}/link", operationId: "linkFile", tags },
  summary: "Create a link that opens a file without a header for a while",
  description:
    "For pictures and downloads of a page of any origin. The link ends earlier if the credential that made it, or its right to the file, ends.",
  request: {
    params,
    body: { content: { "application/json": { schema: z.strictObject({ data: linkInput }) } } },
  },
  responses: {
    201: {
      description: "The address, relative to this service unless `files.public_url` is set",
      content: {
        "application/json": {
          schema: z.object({ data: z.object(linkFields) }),
        },
      },
    },
    ...errorAnswers(...always, "BODY_INVALID", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
  },
});

const links = createRoute({
  ...{ method: "post", path: "/api/files/links", operationId: "linkFiles", tags },
  summary: "Create links to several files",
  description:
    "As `POST /api/files/{id}/link`. The answer has one entry for each id, in their order. A file that the caller may not read has the fault of a missing one.",
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: z.strictObject({ data: linksInput }) } },
    },
  },
  responses: {
    200: {
      description: "A link for each id, or the fault of a file without one",
      content: {
        "application/json": {
          schema: z.object({
            data: z.array(
              z.union([
                z.object({ id: z.string(), ...linkFields }),
                z.object({
                  id: z.string(),
                  fault: z.object({
                    code: z.literal("NOT_FOUND"),
                    message: z.string(),
                    path: z.string(),
                  }),
                }),
              ]),
            ),
          }),
        },
      },
    },
    ...errorAnswers(
      "AUTHENTICATION_REQUIRED",
      "INTERNAL_ERROR",
      "SERVICE_UNAVAILABLE",
      "QUERY_TIMEOUT",
      "BODY_INVALID",
      "BODY_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
    ),
  },
});

export const fileDocuments: readonly RouteConfig[] = [
  create,
  read,
  readNamed,
  replace,
  link,
  links,
];

const protocol = z.object({ "Tus-Resumable": z.literal("1.0.0") });
const tus = { "x-protocol": "tus" } as const;
const uploadTag = "The protocol is tus 1.0: https://tus.io/protocols/resumable-upload.";

const begin = createRoute({
  ...tus,
  ...{ method: "post", path: "/api/files/uploads", operationId: "beginUpload", tags },
  summary: "Begin a resumable upload",
  description: `${uploadTag} \`Upload-Metadata\` has \`filename\`, \`filetype\` and fields of the row, or \`file_id\` and \`if_match\` for a new version of a file.`,
  request: {
    headers: protocol.extend({ "Upload-Length": z.string(), "Upload-Metadata": z.string() }),
  },
  responses: { 201: { description: "`Location` has the address of the upload" }, ...refusals },
});
const append = createRoute({
  ...tus,
  ...{ method: "patch", path: "/api/files/uploads/{id}", operationId: "continueUpload", tags },
  summary: "Send the next bytes of an upload",
  description: `${uploadTag} HEAD returns \`Upload-Offset\`, from which the sender continues. The response to the last bytes has the id of the file in \`Rowhouse-File\`.`,
  request: {
    params,
    headers: protocol.extend({ "Upload-Offset": z.string() }),
    body: { required: true, content: { "application/offset+octet-stream": { schema: bytes } } },
  },
  responses: { 204: { description: "`Upload-Offset` has the bytes so far" }, ...refusals },
});
const end = createRoute({
  ...tus,
  ...{ method: "delete", path: "/api/files/uploads/{id}", operationId: "endUpload", tags },
  summary: "End an upload and delete its bytes",
  request: { params, headers: protocol },
  responses: { 204: { description: "The upload is gone" }, ...refusals },
});

/** The operations of resumable uploads. */
export const uploadDocuments: readonly RouteConfig[] = [begin, append, end];
