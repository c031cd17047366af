import { isKnownVersion } from "@rowhouse/data";
import { createError } from "@rowhouse/errors";
import { headersOf, type ImageVariant, ObjectMissing, type StoredFile } from "@rowhouse/files";
import { parseQueryStrict, standardHeaders } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { rangeOf } from "./byte-range.ts";
import { downloadBody } from "./download.ts";
import { openFile } from "./file-access.ts";
import type { FileApi, FileContext } from "./file-api.ts";

const parameters = { single: ["ticket", "download", "preset"] } as const;

/** `GET` and `HEAD` of the bytes of a file, whole or in part. */
export async function answerDownload(c: FileContext, api: FileApi): Promise<Response> {
  const { raw } = c.req;
  const { requestId } = c.env.edge;
  const { file, prove, callerKey } = await openFile(api, c.req.param("id") ?? "", raw, c.env.edge);
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
    ...headersOf({ name: file.name, mediaType }, { isPublic: file.isPublic, isAttachment }),
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
  const content = await api.storage.get(storageKey, range).catch((cause: unknown) => {
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
