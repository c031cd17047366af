import type { Caller } from "@rowhouse/access";
import type { ExportEngine, ExportFormat, ExportRequest } from "@rowhouse/data";
import { type Logger, type ServiceEnvironment, standardHeaders } from "@rowhouse/http";
import type { Context } from "hono";

/** Formats that a media range selects; a wildcard selects JSON. */
const formats: ReadonlyMap<string, ExportFormat | "JSON"> = new Map([
  ["text/csv", "CSV"],
  ["application/x-ndjson", "NDJSON"],
  ["application/json", "JSON"],
  ["application/*", "JSON"],
  ["*/*", "JSON"],
]);

/**
 * Returns the format that a caller prefers to the JSON of a list, by the `Accept` header (RFC 9110 §12.5.1): among
 * equal ranges the one that names its type, then the first. Returns undefined unless the header names CSV or NDJSON.
 */
export function exportFormatOf(accept: string | null): ExportFormat | undefined {
  if (accept === null || !/csv|ndjson/i.test(accept)) return undefined;
  const ranges = accept
    .toLowerCase()
    .split(",")
    .flatMap((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const format = formats.get(type);
      const quality = qualityOf(parameters);
      return format === undefined || quality === 0 ? [] : [{ type, format, quality }];
    });
  const isNamed = ({ type }: { readonly type: string }) => Number(!type.endsWith("*"));
  ranges.sort((a, b) => b.quality - a.quality || isNamed(b) - isNamed(a));
  const format = ranges[0]?.format;
  return format === "JSON" ? undefined : format;
}

function qualityOf(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (written === undefined) return 1;
  return /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(written) ? Number(written) : 0;
}

export interface ExportRoutesDependencies {
  readonly exports: ExportEngine;
  readonly logger: Logger;
}

/** Returns a streaming response. If the caller disconnects, the statement in PostgreSQL ends. */
export async function answerExport(
  c: Context<ServiceEnvironment>,
  { exports, logger }: ExportRoutesDependencies,
  request: ExportRequest,
  caller: Caller,
  format: ExportFormat,
): Promise<Response> {
  const { requestId } = c.env.edge;
  const { method, signal } = c.req.raw;
  const isHead = method === "HEAD";
  // A HEAD request runs the checks and reads no row.
  const body = await exports.open(isHead ? { ...request, limit: 0 } : request, caller, {
    format,
    signal,
    onBroken: (error) => logger.error({ err: error, requestId }, "An export was aborted"),
  });
  if (isHead) await body.cancel();
  const headers = standardHeaders(requestId, headersOf(format, request.target.name));
  return new Response(isHead ? null : body, { headers });
}

function headersOf(format: ExportFormat, name: string): Record<string, string> {
  if (format === "NDJSON") return { "Content-Type": "application/x-ndjson; charset=utf-8" };
  return {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": attachment(`${name}.csv`),
  };
}

/** RFC 6266: an ASCII name for every client, and the exact name if it differs. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  if (plain === fileName) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
