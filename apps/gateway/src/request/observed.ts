import { alreadySent, type ServiceAnswer, traceHeader } from "@rowhouse/http";
import type { Tracing } from "@rowhouse/service";
import { pathOfTarget } from "./check-path.ts";
import { routeOf } from "./route-of.ts";
import type { Answering } from "./upstream.ts";

interface Observers {
  readonly onAnswered?: ((answer: ServiceAnswer) => void) | undefined;
  readonly tracing?: Tracing | undefined;
}

/**
 * Adds metrics and traces to a gateway. A trace starts here: the trace of a caller is linked but never continued, so
 * that no caller decides which requests are traced.
 */
export function observedGateway(
  answering: Answering,
  { onAnswered, tracing }: Observers,
): Answering {
  if (onAnswered === undefined && tracing === undefined) return answering;
  return async (request, connection, requestId) => {
    const begun = performance.now();
    const { method } = request;
    const { url, headers } = connection.incoming;
    const path = pathOfTarget(url ?? "");
    const route = routeOf(path)?.pattern ?? "none";
    const named = headers[traceHeader];
    const span = tracing?.begin(`${method} ${route}`, {
      kind: "SERVER",
      link: typeof named === "string" ? named : undefined,
      attributes: { "http.request.method": method, "http.route": route },
    });
    const answer = await answering(
      request,
      span === undefined ? connection : { ...connection, traceParent: span.traceParent },
      requestId,
    );
    const status = answer === alreadySent ? connection.outgoing.statusCode : answer.status;
    span?.end({
      attributes: {
        "http.response.status_code": status,
        "rowhouse.request.id": requestId,
      },
      failed: status >= 500,
    });
    onAnswered?.({ method, route, status, seconds: (performance.now() - begun) / 1000 });
    return answer;
  };
}
