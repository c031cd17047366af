import { once } from "node:events";
import { StartError } from "@rowhouse/errors";

/** A process that has started. */
export interface RunningProcess {
  /** Says to whoever sends requests here that the end is near, and goes on answering until they can have heard it. */
  drain?(): Promise<void>;
  /** Stops accepting, finishes what is in progress, hands back the rest. */
  stop(): Promise<void>;
}

// A stop that hangs is worse than one that cuts: whoever sent the signal will send SIGKILL next.
const stopMs = 15_000;

/**
 * Runs an app from its start to its end: SIGTERM or SIGINT stops it in order, and the process ends with 0. A start that
 * fails says why on standard error, in one sentence where the reason is the operator's to mend, and ends with 1.
 *
 * @param start gets a signal that is aborted when the process is told to stop; it may give up what it waits for
 */
export async function runProcess(
  start: (signal: AbortSignal) => Promise<RunningProcess>,
): Promise<void> {
  // A signal may come while the start is under way, and a terminal sends it to every process of a group, perhaps twice.
  const stopAsked = new AbortController();
  const signalled = once(stopAsked.signal, "abort");
  process.on("SIGTERM", () => stopAsked.abort());
  process.on("SIGINT", () => stopAsked.abort());
  try {
    const running = await start(stopAsked.signal);
    await signalled;
    await running.drain?.();
    setTimeout(() => process.exit(1), stopMs).unref();
    await running.stop();
    process.exit(0);
  } catch (error) {
    if (stopAsked.signal.aborted && error instanceof StartError) process.exit(0);
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
