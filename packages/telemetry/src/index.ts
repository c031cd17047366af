export { type Answered, createMetrics, type Metrics, type Watched, watchPools } from "./metrics.ts";
