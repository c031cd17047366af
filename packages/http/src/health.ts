import { type AppError, createError } from "@rowhouse/errors";
import type { Logger } from "./logger.ts";
import { rawPath } from "./raw-path.ts";
import { envelope, errorAnswer, jsonValue } from "./respond.ts";

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

/** Whether a request asks if the process takes more work. */
export function asksReadiness(request: Request): boolean {
  return isHealthPath(request) && rawPath(request) === "/readyz";
}

/** What `/readyz` gives while the process is on its way out, whatever else is there. */
export function stoppingError(): AppError {
  return createError("SERVICE_UNAVAILABLE", {
    message: "Stopping",
    details: { checks: { process: false } },
    headers: { "Retry-After": "1" },
  });
}

/**
 * The same readiness, fit for a path that everybody may ask: those who ask at once share one answer, so that many who do
 * are no more work for what is asked than one. There is a log entry when something went away or came back: whoever looks
 * after a process asks every second, and a log that says so each time says nothing.
 */
export function reportChanges(readiness: Readiness, logger: Logger): Readiness {
  let away = "";
  let asking: ReturnType<Readiness> | undefined;
  const ask = async () => {
    const checks = await readiness();
    const now = Object.keys(checks).filter((name) => checks[name] !== true);
    if (now.join() !== away) {
      away = now.join();
      if (now.length > 0) logger.error({ checks }, "Not ready");
      else logger.warn({ checks }, "Ready again");
    }
    return checks;
  };
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/**
 * Answers `/livez` (the process answers) and `/readyz` (so does everything it depends on, else `SERVICE_UNAVAILABLE` with the
 * state of each dependency).
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
