import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ServiceBindings, ServiceEnvironment } from "../request/edge-context.ts";
import { rawPath } from "../request/raw-path.ts";

type Routes = Pick<OpenAPIHono<ServiceEnvironment>, "fetch" | "router">;

/** Starts the span of a request; `openTracing` of @rowhouse/service returns one that sends it to a collector. */
interface Tracing {
  begin(
    name: string,
    begin: {
      readonly kind: "SERVER";
      /** A `traceparent`; if it is missing or malformed, the span starts a new trace. */
      readonly parent?: string | null | undefined;
      readonly attributes?: Readonly<Record<string, string>>;
    },
  ): {
    readonly traceParent: string;
    end(end: {
      readonly name: string;
      readonly attributes: Readonly<Record<string, string | number>>;
      readonly failed: boolean;
    }): void;
  };
}

/** Observers of a service's responses. Without any, observation costs nothing. */
export interface ObservationOptions {
  /** Called for each response, of a route or for an unknown path; not for health requests. */
  readonly onAnswered?: ((answer: ServiceAnswer) => void) | undefined;
  readonly tracing?: Tracing | undefined;
}

export interface ServiceAnswer {
  readonly method: string;
  /** The pattern of the route; `none` for an unknown path. */
  readonly route: string;
  readonly status: number;
  /** Duration until the head of the response. */
  readonly seconds: number;
}

/** Returns the service's own `fetch` with metrics and traces of its responses. */
export function observed(
  service: Routes,
  { onAnswered, tracing }: ObservationOptions,
): Routes["fetch"] {
  const dispatch = service.fetch;
  if (onAnswered === undefined && tracing === undefined) return dispatch;
  return async (request, environment) => {
    const { edge, incoming } = environment as ServiceBindings;
    const { method } = request;
    const begun = performance.now();
    const span = tracing?.begin(method, {
      kind: "SERVER",
      parent: edge.traceParent,
      attributes: { "http.request.method": method, "rowhouse.request.id": edge.requestId },
    });
    const inside = span === undefined ? edge : { ...edge, traceParent: span.traceParent };
    const bindings: ServiceBindings = { edge: inside, incoming, route: undefined };
    const answer = await dispatch(request, bindings);
    const { status } = answer;
    const route = bindings.route ?? routeOf(service, method, rawPath(request));
    span?.end({
      name: `${method} ${route}`,
      attributes: { "http.route": route, "http.response.status_code": status },
      failed: status >= 500,
    });
    onAnswered?.({ method, route, status, seconds: (performance.now() - begun) / 1000 });
    return answer;
  };
}

/** The declared pattern of the route that handles a request. */
function routeOf(service: Routes, asked: string, path: string): string {
  const taken = asked === "HEAD" ? "GET" : asked;
  const [handlers] = service.router.match(taken, path);
  const routes = handlers.map(([[, route]]) => route);
  // A route for every method. Middleware is for every method too, but its pattern covers a whole subtree.
  const any = routes.findLast(
    ({ path: pattern, method }) => method === "ALL" && !pattern.endsWith("*"),
  );
  return (routes.find((route) => route.method === taken) ?? any)?.path ?? "none";
}
