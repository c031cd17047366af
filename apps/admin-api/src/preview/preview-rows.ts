import {
  type Address,
  type ExportEngine,
  type ExportFormat,
  exportFormatOf,
  exportHeadersOf,
  parseAddress,
  parseExportRequest,
  parseRequest,
  type RequestOrigin,
  receiveRequest,
  requestLimitsOf,
  requestOptionsOf,
  requireHonored,
} from "@rowhouse/data";
import type { SnapshotStore } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { PreviewedAnswer, PreviewedRequest } from "./previewed-request.ts";
import type { ReadingEngine } from "./read-only-engine.ts";

interface PreviewRowsDependencies {
  readonly snapshots: SnapshotStore;
  readonly engine: ReadingEngine;
  readonly exports: ExportEngine;
}

/**
 * Answers a list, a row, an aggregation or an export of the Data API as the caller of the previewed request.
 *
 * @throws AppError as the Data API does
 */
export async function previewRows(
  { snapshots, engine, exports }: PreviewRowsDependencies,
  previewed: PreviewedRequest,
  signal: AbortSignal,
): Promise<PreviewedAnswer> {
  const settings = settingsOf(await snapshots.fresh());
  const [path = "", query = ""] = split(previewed.path);
  const address = parseAddress(path);
  try {
    const origin = originOf(previewed, address, query, settings);
    const format =
      address.id === null ? exportFormatOf(previewed.headers.get("accept")) : undefined;
    if (format !== undefined) {
      const request = receiveRequest(parseExportRequest, origin);
      const body = await exports.open(request, previewed.caller, {
        format,
        signal,
        // The body ends with the error.
        onBroken: () => {},
      });
      return await exported(body, format, address, settings);
    }
    const request = receiveRequest(parseRequest, origin);
    const { status, body } = await engine.answer(request, previewed.caller);
    return { status, contentType: "application/json", body: body ?? "" };
  } catch (error) {
    // A caller who cannot see the relation does not receive the faults of a request.
    if (error instanceof AppError && error.status === 400) {
      const limits = requestLimitsOf(settings);
      const list = parseRequest({ ...address, id: null, method: "GET", query: "" }, limits);
      await engine.authorize(list, previewed.caller);
    }
    throw error;
  }
}

function split(path: string): [path: string, query: string] {
  const mark = path.indexOf("?");
  return mark < 0 ? [path, ""] : [path.slice(0, mark), path.slice(mark + 1)];
}

/** @throws AppError QUERY_INVALID for a header that the request cannot honor */
function originOf(
  { headers }: PreviewedRequest,
  { target, id }: Address,
  query: string,
  settings: Settings,
): RequestOrigin {
  requireHonored(headers, { method: "GET", isRow: id !== null });
  return {
    parts: { target, id, method: "GET", query },
    options: requestOptionsOf(headers),
    timeZone: headers.get("x-service-timezone"),
    bodyBytes: 0,
    settings,
    isTimed: false,
    isAbandoned: () => false,
  };
}

/** Reads an export, which may have as many bytes as a list. */
async function exported(
  body: ReadableStream<Uint8Array>,
  format: ExportFormat,
  { target }: Address,
  settings: Settings,
): Promise<PreviewedAnswer> {
  const bytesMax = settings["data.max_response_bytes"];
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream, which ends the statement.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw createError("QUERY_INVALID", {
        message: "The export exceeds data.max_response_bytes: preview fewer rows or fields",
      });
    }
    chunks.push(chunk);
  }
  return {
    status: 200,
    contentType: exportHeadersOf(format, target.name)["Content-Type"] ?? null,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}
