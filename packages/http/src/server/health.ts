import { type AppError, createError, isDiskFull } from "@rowhouse/errors";
import { outcomeWithin, singleFlight } from "@rowhouse/limits";
import type { Logger } from "pino";
import { envelope, errorAnswer, jsonValue } from "../answer/respond.ts";
import { rawPath } from "../request/raw-path.ts";

/** Returns for each dependency of a service whether it is available. */
export type Readiness = () => Promise<Readonly<Record<string, boolean>>>;

/** Time for a check, in milliseconds; the gateway waits for two seconds. */
const checkMs = 1600;

/**
 * Creates a readiness from the health of the database and further checks. A check that throws, or does not end in time,
 * marks its dependency as unavailable, and the disk as well if it is full.
 */
export function readinessOf(
  database: { readonly health: Readiness },
  checks: Readonly<Record<string, () => Promise<unknown>>> = {},
): Readiness {
  return async () => {
    const [health, ...others] = await Promise.all([
      database.health(),
      ...Object.entries(checks).map(([name, check]) => outcomeOf(name, check)),
    ]);
    return Object.assign({}, health, ...others);
  };
}

async function outcomeOf(
  name: string,
  check: () => Promise<unknown>,
): Promise<Readonly<Record<string, boolean>>> {
  let isFull = false;
  const checked = check().catch((error: unknown) => {
    isFull = isDiskFull(error);
    throw error;
  });
  const isAvailable = (await outcomeWithin(checkMs, checked)) === "DONE";
  return { [name]: isAvailable, ...(isFull ? { disk: false } : {}) };
}

/** Whether a request is for `/livez` or `/readyz`, which need no credential. */
export function isHealthPath(request: Request): boolean {
  const path = rawPath(request);
  return (path === "/livez" || path === "/readyz") && /^(?:GET|HEAD)$/.test(request.method);
}

export function asksReadiness(request: Request): boolean {
  return isHealthPath(request) && rawPath(request) === "/readyz";
}

/** The response of `/readyz` while the process stops, whatever the dependencies are. */
export function stoppingError(): AppError {
  return createError("SERVICE_UNAVAILABLE", {
    message: "Stopping",
    details: { checks: { process: false } },
    headers: { "Retry-After": "1" },
  });
}

/**
 * Wraps a readiness for a public path. Concurrent calls share one result, so their number adds no load. A change is
 * logged once: load balancers ask every second, and a log entry for each would be noise.
 */
export function reportChanges(readiness: Readiness, logger: Logger): Readiness {
  let away = "";
  return singleFlight(async () => {
    const checks = await readiness();
    const now = Object.keys(checks).filter((name) => checks[name] !== true);
    if (now.join() !== away) {
      away = now.join();
      if (now.length > 0) logger.error({ checks }, "Not ready");
      else logger.warn({ checks }, "Ready again");
    }
    return checks;
  });
}

/**
 * Responds to `/livez` (200 while the process runs) and `/readyz` (200 if all dependencies are available, else
 * `SERVICE_UNAVAILABLE` with the state of each).
 */
export async function answerHealth(
  request: Request,
  readiness: Readiness | undefined,
  requestId: string,
): Promise<Response> {
  if (rawPath(request) === "/livez") return jsonValue(200, envelope({ status: "live" }), requestId);
  const checks = (await readiness?.()) ?? {};
  if (Object.values(checks).every(Boolean)) {
    return jsonValue(200, envelope({ status: "ready", checks }), requestId);
  }
  const notReady = createError("SERVICE_UNAVAILABLE", {
    message: "Not ready",
    details: { checks },
    headers: { "Retry-After": "1" },
  });
  return errorAnswer(notReady, requestId);
}
