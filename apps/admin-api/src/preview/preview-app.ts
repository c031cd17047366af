import type { Caller, Principal, Standing } from "@rowhouse/access";
import { toAppError } from "@rowhouse/db";
import { type ApiRouter, createService, type EdgeContext } from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import type { PreviewedAnswer, PreviewedRequest } from "./previewed-request.ts";
import { readPreviewBody } from "./read-preview-body.ts";

/** Answers a request of the App API as the caller of the previewed request. */
export type PreviewApp = (
  previewed: PreviewedRequest,
  edge: EdgeContext,
) => Promise<PreviewedAnswer>;

/**
 * Creates a second App API that takes its principal from the previewed request.
 *
 * @param mount mounts the routes that read
 * @param bytesMax returns the maximum size of a response
 */
export function createPreviewApp(
  router: ApiRouter,
  logger: Logger,
  mount: (router: ApiRouter) => void,
  bytesMax: () => Promise<number>,
): PreviewApp {
  const service = createService({ translate: toAppError, logger });
  const callers = new WeakMap<Request, Seen>();
  service.use("/app/api/*", async (c, next) => {
    const seen = callers.get(c.req.raw);
    if (seen === undefined) throw new Error("A preview has no principal");
    c.set("principal", seen.principal);
    c.set("caller", seen.caller);
    await next();
  });
  mount(router);
  service.route("/", router);
  return async ({ path, headers, caller, principal }, edge) => {
    const request = new Request(new URL(path, "http://preview.invalid"), { headers });
    callers.set(request, { caller, principal });
    const answer = await service.fetch(request, { edge });
    const body = answer.body === null ? "" : await readPreviewBody(answer.body, await bytesMax());
    return { status: answer.status, contentType: answer.headers.get("content-type"), body };
  };
}

interface Seen {
  readonly caller: Caller;
  readonly principal: Principal & Standing;
}
