export {
  type Answered,
  createMetrics,
  type Metrics,
  type Watched,
  watchPools,
  watchRedis,
} from "./metrics.ts";
export { openTracing, type Span, type SpanBegin, type SpanEnd, type Tracing } from "./tracing.ts";
