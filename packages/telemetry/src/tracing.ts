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

/** A part of a trace that is under way. */
export interface Span {
  /** What its own parts, in this process or another, name as their parent (W3C `traceparent`). */
  readonly traceParent: string;
  /** Ends it, once. */
  end(end?: SpanEnd): void;
}

export interface SpanEnd {
  /** Where it is known only now. */
  readonly name?: string;
  readonly attributes?: Attributes;
  /** Whether it is to count as failed. */
  readonly failed?: boolean;
}

export interface SpanBegin {
  /** `SERVER` answers a request, `CONSUMER` does work that was handed over, `INTERNAL` is a part of either. */
  readonly kind: "SERVER" | "CONSUMER" | "INTERNAL";
  /** A `traceparent`; one that is missing or malformed begins a trace of its own. */
  readonly parent?: string | null | undefined;
  /** The `traceparent` of a trace that this one only refers to: one that a caller sent. */
  readonly link?: string | undefined;
  readonly attributes?: Attributes;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Sends what a process did to an OpenTelemetry collector. */
export interface Tracing {
  begin(name: string, begin: SpanBegin): Span;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** `rowhouse-data-api`, unless `OTEL_SERVICE_NAME` says otherwise. */
  readonly service: string;
  /** The collector's `http(s)://host:port`, to which `/v1/traces` is added (OTLP over HTTP). */
  readonly endpoint: string;
  /** How much is kept: OpenTelemetry's own `OTEL_TRACES_SAMPLER` and its like are read by its library. */
}

/** Opens the way to a collector. Spans go out in batches; a collector that is away costs nothing but its spans. */
export async function openTracing({ service, endpoint }: TracingOptions): Promise<Tracing> {
  // Loaded only where it is used: it would take a tenth of a second of every start.
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
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
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
