import { createMetrics, type Metrics, openTracing, type Tracing } from "@rowhouse/telemetry";
import { z } from "zod";
import { environmentVariables } from "./read-environment.ts";
import { serve } from "./serve.ts";

/** What a process tells operators; what its environment does not ask for is undefined, and costs nothing. */
export interface Telemetry {
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  /** Sends what has not been sent, and closes the port. */
  stop(): Promise<void>;
}

/** The variables of an app's configuration that `openTelemetry` goes by. */
export function telemetryVariables(serviceName: string) {
  return {
    METRICS_PORT: environmentVariables.metricsPort,
    /** The OpenTelemetry collector. */
    OTEL_EXPORTER_OTLP_ENDPOINT: environmentVariables.collector,
    OTEL_SERVICE_NAME: z.string().default(serviceName),
  };
}

export interface TelemetryConfig {
  readonly HOST: string;
  readonly METRICS_PORT?: number | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_SERVICE_NAME: string;
}

/**
 * Serves metrics on a port of their own, which only the operators' network is to reach, and opens the way to a collector
 * of traces; each where the configuration names it.
 *
 * @throws StartError when the port is taken or may not be used
 */
export async function openTelemetry(config: TelemetryConfig): Promise<Telemetry> {
  const { METRICS_PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const metrics = port === undefined ? undefined : createMetrics();
  const scraped =
    port === undefined || metrics === undefined
      ? undefined
      : await serve(answerScrapes(metrics), {
          port,
          hostname: config.HOST,
          portVariable: "METRICS_PORT",
        });
  const service = config.OTEL_SERVICE_NAME;
  const tracing = endpoint === undefined ? undefined : await openTracing({ service, endpoint });
  return {
    metrics,
    tracing,
    stop: async () => {
      await scraped?.stop();
      // A collector that is away must not keep the process.
      await tracing?.close().catch(() => {});
    },
  };
}

/** `GET /metrics`, and nothing else. */
function answerScrapes(
  metrics: Pick<Metrics, "text" | "contentType">,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== "/metrics") return new Response(null, { status: 404 });
    if (request.method !== "GET") {
      return new Response(null, { status: 405, headers: { Allow: "GET" } });
    }
    const headers = { "Content-Type": metrics.contentType, "Cache-Control": "no-store" };
    return new Response(await metrics.text(), { headers });
  };
}
