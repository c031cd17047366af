export { createMicroBatch, type MicroBatchOptions } from "./micro-batch.ts";
export { createMutex, type Mutex } from "./mutex.ts";
export { createPrioritySemaphore, type PrioritySemaphore } from "./priority-semaphore.ts";
export { readWithin } from "./read-within.ts";
export { type RepeatedTask, startRepeatedTask } from "./repeated-task.ts";
export { createSerialTask, type SerialTask } from "./serial-task.ts";
export { outcomeWithin, settleWithin } from "./settle-within.ts";
export { nextFlight, singleFlight } from "./single-flight.ts";
export { UserSemaphore, type UserSemaphoreOptions } from "./user-semaphore.ts";
