import type { Tracing } from "@rowhouse/telemetry";
import type { EdgeContext } from "./edge-context.ts";
import { rawPath } from "./raw-path.ts";
import type { Service } from "./service.ts";

/** Who watches what a service answers. Without any, watching costs nothing. */
export interface ObservationOptions {
  /** Hears of each answer that a route gave, or that none could give; health is not among them. */
  readonly onAnswered?: ((answer: ServiceAnswer) => void) | undefined;
  readonly tracing?: Tracing | undefined;
}

/** What operators count of an answer. */
export interface ServiceAnswer {
  readonly method: string;
  /** The pattern of the route that gave it; `none` where there is none. */
  readonly route: string;
  readonly status: number;
  /** Until the head of the answer. */
  readonly seconds: number;
}

/** The service's own `fetch`, its answers counted and traced. */
export function observed(
  service: Service,
  { onAnswered, tracing }: ObservationOptions,
): Service["fetch"] {
  const dispatch = service.fetch;
  if (onAnswered === undefined && tracing === undefined) return dispatch;
  return async (request, environment) => {
    const { edge } = environment as { readonly edge: EdgeContext };
    const { method } = request;
    const begun = performance.now();
    const span = tracing?.begin(method, {
      kind: "SERVER",
      parent: edge.traceParent,
      attributes: { "http.request.method": method, "rowhouse.request.id": edge.requestId },
    });
    const inside = span === undefined ? edge : { ...edge, traceParent: span.traceParent };
    const answer = await dispatch(request, { edge: inside });
    const { status } = answer;
    const route = routeOf(service, method, rawPath(request));
    span?.end({
      name: `${method} ${route}`,
      attributes: { "http.route": route, "http.response.status_code": status },
      failed: status >= 500,
    });
    onAnswered?.({ method, route, status, seconds: (performance.now() - begun) / 1000 });
    return answer;
  };
}

/** The pattern of the route that takes a request, as it was declared. */
function routeOf(service: Service, asked: string, path: string): string {
  const taken = asked === "HEAD" ? "GET" : asked;
  const [handlers] = service.router.match(taken, path);
  const routes = handlers.map(([[, route]]) => route);
  // A route for every method; middleware, which is for every method too, stands before a whole tree of paths.
  const any = routes.findLast(
    ({ path: pattern, method }) => method === "ALL" && !pattern.endsWith("*"),
  );
  return (routes.find((route) => route.method === taken) ?? any)?.path ?? "none";
}
