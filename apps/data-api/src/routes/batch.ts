import { type BatchRequest, batchMax, requestOptionsOf, requireHonored } from "@rowhouse/data";
import { parseIdempotencyKey } from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import { type Service, type ServiceEnvironment, splitQuery } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { settingsOf } from "@rowhouse/settings";
import type { Context } from "hono";
import { credentialCallerOf } from "../caller/request-headers.ts";
import { lengthOf, readRowBody } from "./row-body.ts";
import { type RowRoutesDependencies, respond } from "./rows.ts";

export interface BatchRouteDependencies extends RowRoutesDependencies {
  readonly rateLimits: RateLimits;
}

/** The body of a batch nests the body of a write two levels deeper. */
const depthMax = 66;

/** `POST /api/batch`: several writes in one transaction. */
export function mountBatchRoute(service: Service, dependencies: BatchRouteDependencies): void {
  service.post("/api/batch", (c) => answerBatch(c, dependencies));
}

async function answerBatch(
  c: Context<ServiceEnvironment>,
  dependencies: BatchRouteDependencies,
): Promise<Response> {
  const { engine, snapshots, authenticator } = dependencies;
  const request = c.req.raw;
  const { headers } = request;
  const caller = credentialCallerOf(c);
  let batch: BatchRequest;
  try {
    const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
    requireHonored(headers, { method: "POST", isRow: false });
    requirePlain(request);
    const key = parseIdempotencyKey(headers.get("idempotency-key"));
    const limits = { incoming: c.env.incoming, depthMax };
    const body = await readRowBody(request, dependencies, settings, limits);
    await countWrites(body.data, c.env.edge.clientAddress, dependencies);
    batch = {
      data: body.data,
      bodyBytes: lengthOf(headers),
      minimal: requestOptionsOf(headers).minimal,
      timeZone: headers.get("x-service-timezone"),
      key,
      isAbandoned: () => request.signal.aborted,
    };
  } catch (error) {
    // A caller without a valid credential gets no other error.
    await authenticator.authenticate(headers.get("authorization"));
    throw error;
  }
  return respond(c, { answer: await engine.batch(batch, caller), lease: null });
}

/** @throws AppError QUERY_INVALID for parameters and headers that a batch does not have */
function requirePlain({ url, headers }: Request): void {
  const [, query] = splitQuery(url);
  const parameters = [...new URLSearchParams(query).keys()];
  throwFaults(
    parameters.map((path) => createFault("QUERY_INVALID", { path, message: "Unknown parameter" })),
  );
  if (headers.get("x-service-timing") !== "true") return;
  const message = "X-Service-Timing does not apply to a batch";
  throw createError("QUERY_INVALID", { path: "X-Service-Timing", message });
}

/** The gateway counts the request as one; each further write costs one more. */
async function countWrites(
  data: unknown,
  address: string,
  { snapshots, rateLimits }: BatchRouteDependencies,
): Promise<void> {
  const writes = Array.isArray(data) ? Math.min(data.length, batchMax) : 1;
  if (writes < 2) return;
  // The current value: a changed limit applies to the next request.
  const callsPerMinute = settingsOf(await snapshots.fresh())["security.requests_per_minute"];
  if (callsPerMinute === 0) return;
  const limit = rateLimits.limit({ name: "edge", callsPerMinute, withoutCounters: "COUNT_HERE" });
  await limit.check(address, writes - 1);
}
