import { createError } from "@rowhouse/errors";
import { rawPath } from "./raw-path.ts";
import { envelope, jsonValue } from "./respond.ts";

/** Says of each thing that a service depends on whether it is there. */
export type Readiness = () => Promise<Readonly<Record<string, boolean>>>;

/** Readiness by attempts: what a check throws says that the thing is away. */
export function readinessOf(checks: Readonly<Record<string, () => Promise<unknown>>>): Readiness {
  return async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await succeeds(check)] as const),
      ),
    );
}

async function succeeds(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}

/** Whether a request asks for `/livez` or `/readyz`, which are open to everyone who reaches the port. */
export function isHealthPath(request: Request): boolean {
  const path = rawPath(request);
  return (path === "/livez" || path === "/readyz") && /^(?:GET|HEAD)$/.test(request.method);
}

/**
 * Answers `/livez` (the process answers) and `/readyz` (so does everything it depends on).
 *
 * @throws `SERVICE_UNAVAILABLE` with the state of each dependency
 */
export async function answerHealth(
  request: Request,
  readiness: Readiness | undefined,
  requestId: string,
): Promise<Response> {
  if (rawPath(request) === "/livez") return jsonValue(200, envelope({ status: "live" }), requestId);
  const checks = (await readiness?.()) ?? {};
  if (!Object.values(checks).every(Boolean)) {
    throw createError("SERVICE_UNAVAILABLE", {
      message: "Not ready",
      details: { checks },
      headers: { "Retry-After": "1" },
    });
  }
  return jsonValue(200, envelope({ status: "ready", checks }), requestId);
}
