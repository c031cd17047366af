import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { StartError } from "@rowhouse/errors";

export interface RunningProcess {
  /** Announces the stop to load balancers and gateways, and continues to serve until they have noticed. */
  drain?(): Promise<void>;
  /** Stops accepting, finishes work in progress, releases the rest. */
  stop(): Promise<void>;
}

// A stop that hangs ends the process: the supervisor would send SIGKILL next.
const stopMs = 15_000;

/**
 * Runs an app from start to exit. SIGTERM or SIGINT stops it gracefully with exit code 0. A failed start prints the
 * reason to standard error, in one sentence if the operator can fix it, and exits with code 1.
 *
 * @param start receives a signal that is aborted when the process should stop, and may then give up. It returns
 * undefined if its work is done; the process then exits with code 0
 */
export async function runProcess(
  start: (signal: AbortSignal) => Promise<RunningProcess | undefined>,
): Promise<void> {
  // A signal may arrive during the start, and a terminal sends it to every process of a group, possibly twice.
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
    releaseMemoryOfStart();
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

/**
 * Collects what the start has left, in about 70 ms. V8 returns unused memory to the system only after a full collection,
 * which a process with little work may not reach for days.
 */
function releaseMemoryOfStart(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isOfDatabase(error)) {
    return `The start failed because the database rejected a statement: ${error.message} (${error.code}).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Whether an error has the fields of a PostgreSQL error; independent of the driver. */
function isOfDatabase(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    "severity" in error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}
