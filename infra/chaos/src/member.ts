import { once } from "node:events";
import { join } from "node:path";
import { type AppName, type AppProcess, launchApp } from "@rowhouse/testing";

/** A process of the deployment that can be killed, frozen and restarted. */
export interface Member {
  readonly name: string;
  readonly url: () => string;
  /** The operating system process, while it runs. */
  readonly pid: () => number | undefined;
  /** Whether it runs and is not frozen. */
  readonly isWell: () => boolean;
  /** Whether it exited without a disturbance. */
  readonly hasDied: () => boolean;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
  /** Starts it again and waits until it is ready. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it for good, in any state. */
  end(): Promise<void>;
  /** The output of all its starts. */
  output(): string;
}

/**
 * Starts an app under a name.
 *
 * @param build the root of another build of the product that contains the app; by default this one
 */
export async function startMember(
  name: string,
  app: AppName,
  environment: Readonly<Record<string, string>>,
  build?: string,
): Promise<Member> {
  const start = async () => {
    const artefact = build === undefined ? {} : { artefact: join(build, "apps", app) };
    const launched = await launchApp(app, environment, artefact);
    await launched.untilReady();
    return launched;
  };
  let process: AppProcess | undefined = await start();
  let written = "";
  let frozen = false;

  const leave = async (signal: NodeJS.Signals): Promise<void> => {
    const leaving = process;
    if (leaving === undefined) return;
    process = undefined;
    frozen = false;
    if (!hasEnded(leaving)) {
      const ended = once(leaving.child, "exit");
      leaving.child.kill(signal);
      await ended;
    }
    written += leaving.output();
  };
  return {
    name,
    url: () => process?.url ?? "",
    pid: () => process?.child.pid,
    isWell: () => process !== undefined && !hasEnded(process) && !frozen,
    hasDied: () => process !== undefined && hasEnded(process),
    kill: () => leave("SIGKILL"),
    stop: () => leave("SIGTERM"),
    start: async () => {
      process = await start();
    },
    freeze: () => {
      frozen = true;
      process?.child.kill("SIGSTOP");
    },
    thaw: () => {
      frozen = false;
      process?.child.kill("SIGCONT");
    },
    end: () => leave("SIGKILL"),
    output: () => written + (process?.output() ?? ""),
  };
}

function hasEnded({ child }: AppProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
