export { type EndLimit, endWithin } from "./end-within.ts";
export { createMicroBatch, type MicroBatchOptions } from "./micro-batch.ts";
export { createMutex, type Mutex } from "./mutex.ts";
export { onceAMinute } from "./once-a-minute.ts";
export {
  openRateLimits,
  type RateLimit,
  type RateLimitOptions,
  type RateLimits,
  type RateLimitsOptions,
} from "./open-rate-limits.ts";
export { createPrioritySemaphore, type PrioritySemaphore } from "./priority-semaphore.ts";
export { readWithin } from "./read-within.ts";
export { type RepeatedTask, startRepeatedTask } from "./repeated-task.ts";
export { createSerialTask, type SerialTask } from "./serial-task.ts";
export { outcomeWithin, settleWithin } from "./settle-within.ts";
export { nextFlight, singleFlight } from "./single-flight.ts";
export { sourceOf } from "./source-of.ts";
export { UserSemaphore, type UserSemaphoreOptions } from "./user-semaphore.ts";
