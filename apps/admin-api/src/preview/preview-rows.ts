import {
  type DataEngine,
  type ExportEngine,
  exportFormatOf,
  exportHeadersOf,
  findRowRoute,
  parseAddress,
  parseExportRequest,
  parseRequest,
  receiveRequest,
  requestLimitsOf,
  requestOriginOf,
} from "@rowhouse/data";
import type { SnapshotStore } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { splitQuery } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import type { PreviewedAnswer, PreviewedRequest } from "./previewed-request.ts";
import { readPreviewBody } from "./read-preview-body.ts";

interface PreviewRowsDependencies {
  readonly snapshots: SnapshotStore;
  readonly engine: Pick<DataEngine, "answer" | "authorize">;
  readonly exports: ExportEngine;
}

/**
 * Answers a list, a row, its history, an aggregation or an export of the Data API as the caller of the previewed request.
 *
 * @throws AppError as the Data API does
 */
export async function previewRows(
  { snapshots, engine, exports }: PreviewRowsDependencies,
  previewed: PreviewedRequest,
  signal: AbortSignal,
): Promise<PreviewedAnswer> {
  const settings = settingsOf(await snapshots.fresh());
  const [path, query] = splitQuery(previewed.path);
  const route = findRowRoute("GET", path);
  if (route === undefined) throw createError("NOT_FOUND");
  const address = parseAddress(path, route.operation);
  try {
    const origin = requestOriginOf(previewed.headers, {
      parts: { ...address, method: route.operation, query },
      bodyBytes: 0,
      settings,
      isAbandoned: () => signal.aborted,
    });
    const format =
      route.file === "EXPORT" ? exportFormatOf(previewed.headers.get("accept")) : undefined;
    if (format !== undefined) {
      const request = receiveRequest(parseExportRequest, origin);
      const open = (onBroken: (error: unknown) => void) =>
        exports.open(request, previewed.caller, { format, signal, onBroken });
      const body = await readExport(open, settings["data.max_response_bytes"]);
      const headers = exportHeadersOf(format, address.target.name);
      return { status: 200, contentType: headers["Content-Type"] ?? null, body };
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

/** Reads an export. */
async function readExport(
  open: (onBroken: (error: unknown) => void) => Promise<ReadableStream<Uint8Array>>,
  bytesMax: number,
): Promise<string> {
  let broken: unknown;
  const body = await open((error) => {
    broken = error;
  });
  // The stream's own error does not name the cause.
  return readPreviewBody(body, bytesMax).catch((error: unknown) => {
    throw broken ?? error;
  });
}
