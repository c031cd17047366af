import { serve } from "@rowhouse/http";
import { z } from "zod";
import { createMetrics, type Metrics } from "./metrics.ts";
import { environmentVariables } from "./read-environment.ts";
import { openTracing, type Tracing } from "./tracing.ts";

/** Metrics and traces of a process; undefined if the environment does not configure them, which costs nothing. */
export interface Telemetry {
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  /** Sends pending traces and closes the port. */
  stop(): Promise<void>;
}

/** The configuration variables of `openTelemetry`. */
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
 * Serves metrics on a separate port, which only the operators' network should reach, and starts the export of traces;
 * each only if configured.
 *
 * @throws StartError if the port is taken or not permitted
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
      // An unreachable collector must not keep the process alive.
      await tracing?.close().catch(() => {});
    },
  };
}

/** Serves `GET /metrics` only. */
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
