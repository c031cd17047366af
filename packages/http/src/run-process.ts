import { StartError } from "@rowhouse/errors";

/** A process that has started. */
export interface RunningProcess {
  /** Stops accepting, finishes what is in progress, hands back the rest. */
  stop(): Promise<void>;
}

// A stop that hangs is worse than one that cuts: whoever sent the signal will send SIGKILL next.
const stopMs = 15_000;

/**
 * Runs an app from its start to its end: SIGTERM or SIGINT stops it in order, and the process ends with 0. A start that
 * fails says why on standard error, in one sentence where the reason is the operator's to mend, and ends with 1.
 */
export async function runProcess(start: () => Promise<RunningProcess>): Promise<void> {
  // A signal may come while the start is under way, and a terminal sends it to every process of a group, perhaps twice.
  let stopAsked: () => void = () => {};
  const signalled = new Promise<void>((resolve) => {
    stopAsked = resolve;
  });
  process.on("SIGTERM", () => stopAsked());
  process.on("SIGINT", () => stopAsked());
  try {
    const running = await start();
    await signalled;
    setTimeout(() => process.exit(1), stopMs).unref();
    await running.stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
