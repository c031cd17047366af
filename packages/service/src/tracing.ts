import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from "@opentelemetry/api";

export interface Span {
  /** The parent that child spans, in this process or another, refer to (W3C `traceparent`). */
  readonly traceParent: string;
  /** Ends the span; call it once. */
  end(end?: SpanEnd): void;
}

export interface SpanEnd {
  /** The name, if it is only known at the end. */
  readonly name?: string;
  readonly attributes?: Attributes;
  /** Whether the span counts as failed. */
  readonly failed?: boolean;
}

export interface SpanBegin {
  /** `SERVER` handles a request, `CONSUMER` does queued work, `INTERNAL` is a part of either. */
  readonly kind: "SERVER" | "CONSUMER" | "INTERNAL";
  /** A `traceparent`; if it is missing or malformed, the span starts a new trace. */
  readonly parent?: string | null | undefined;
  /** The `traceparent` of a linked trace: one that a caller sent. */
  readonly link?: string | undefined;
  readonly attributes?: Attributes;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Sends spans to an OpenTelemetry collector. */
export interface Tracing {
  begin(name: string, begin: SpanBegin): Span;
  /** Sends all pending spans. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `rowhouse-data-api`, unless `OTEL_SERVICE_NAME` is set. */
  readonly service: string;
  /** The collector's `http(s)://host:port`, to which `/v1/traces` is added (OTLP over HTTP). */
  readonly endpoint: string;
  /** The environment: OpenTelemetry's library reads `OTEL_TRACES_SAMPLER` and other sampling variables from it. */
}

/**
 * Opens the export to a collector. Spans are sent in batches; if the collector is unreachable, only its spans are
 * lost.
 */
export async function openTracing({ service, endpoint }: TracingOptions): Promise<Tracing> {
  // Loaded on demand: it would add a tenth of a second to every start.
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { W3CTraceContextPropagator },
  ] = await Promise.all([
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/core"),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces`,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("rowhouse");
  const propagator = new W3CTraceContextPropagator();
  return {
    begin: (name, begin) => beginSpan(tracer, propagator, name, begin),
    close: () => provider.shutdown(),
  };
}

function beginSpan(
  tracer: Tracer,
  propagator: TextMapPropagator,
  name: string,
  { kind, parent, link, attributes }: SpanBegin,
): Span {
  const linked =
    link === undefined ? undefined : trace.getSpanContext(readParent(propagator, link));
  const links: Link[] = linked === undefined ? [] : [{ context: linked }];
  const span = tracer.startSpan(
    name,
    { kind: SpanKind[kind], links, ...(attributes === undefined ? {} : { attributes }) },
    parent == null ? ROOT_CONTEXT : readParent(propagator, parent),
  );
  const carrier: { traceparent?: string } = {};
  propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter);
  return {
    traceParent: carrier.traceparent ?? "",
    end: (end = {}) => {
      if (end.name !== undefined) span.updateName(end.name);
      if (end.attributes !== undefined) span.setAttributes(end.attributes);
      if (end.failed === true) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The context that a `traceparent` names; the root context if the header is malformed. */
function readParent(propagator: TextMapPropagator, traceparent: string): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}
