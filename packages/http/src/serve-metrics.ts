import { type RunningServer, type ServeOptions, serve } from "./serve.ts";

/** Something that Prometheus may scrape. */
export interface Scraped {
  /** The metrics in Prometheus' text format. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/**
 * Serves `GET /metrics`, and nothing else, on a port of its own: one that only the operators' network reaches.
 *
 * @throws StartError when the port is taken or may not be used
 */
export function serveMetrics(metrics: Scraped, options: ServeOptions): Promise<RunningServer> {
  return serve(async (request) => {
    if (new URL(request.url).pathname !== "/metrics") return new Response(null, { status: 404 });
    if (request.method !== "GET") {
      return new Response(null, { status: 405, headers: { Allow: "GET" } });
    }
    const headers = { "Content-Type": metrics.contentType, "Cache-Control": "no-store" };
    return new Response(await metrics.text(), { headers });
  }, options);
}
