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
 * @param start gets a signal that is aborted when the process is told to stop; it may give up what it waits for. It gives
 * undefined where its work is done, and the process ends with 0
 */
export async function runProcess(
  start: (signal: AbortSignal) => Promise<RunningProcess | undefined>,
): Promise<void> {
  // A signal may come while the start is under way, and a terminal sends it to every process of a group, perhaps twice.
  const stopAsked = new AbortController();
  const signalled = once(stopAsked.signal, "abort");
  process.on("SIGTERM", () => stopAsked.abort());
  process.on("SIGINT", () => stopAsked.abort());
  const cut = () => setTimeout(() => process.exit(1), stopMs).unref();
  // A start that hangs must end as well.
  let starting: NodeJS.Timeout | undefined;
  const onSignal = () => {
    starting = cut();
  };
  stopAsked.signal.addEventListener("abort", onSignal);
  try {
    const running = await start(stopAsked.signal);
    stopAsked.signal.removeEventListener("abort", onSignal);
    clearTimeout(starting);
    if (running === undefined) process.exit(0);
    await signalled;
    await running.drain?.();
    cut();
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
  if (isOfDatabase(error)) {
    return `The start failed, because the database refused a statement: ${error.message} (${error.code}).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An error with the fields that PostgreSQL gives one, whichever driver read it. */
function isOfDatabase(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    "severity" in error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}
