import type { Caller } from "@rowhouse/access";
import {
  type ExportEngine,
  type ExportFormat,
  type ExportRequest,
  exportHeadersOf,
} from "@rowhouse/data";
import { type Logger, type ServiceEnvironment, standardHeaders } from "@rowhouse/http";
import type { Context } from "hono";

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
  const headers = standardHeaders(requestId, exportHeadersOf(format, request.target.name));
  return new Response(isHead ? null : body, { headers });
}
