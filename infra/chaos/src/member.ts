import { once } from "node:events";
import { join } from "node:path";
import { type AppName, type AppProcess, launchApp } from "@rowhouse/testing";

/** One process of the installation, which is killed and frozen and comes back. */
export interface Member {
  readonly name: string;
  readonly url: () => string;
  /** Its process, while it runs. */
  readonly pid: () => number | undefined;
  /** Whether it runs and is not frozen. */
  readonly isWell: () => boolean;
  /** Whether it ended although nobody made it. */
  readonly hasDied: () => boolean;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for its end. */
  stop(): Promise<void>;
  /** Starts it anew, and waits until it is ready. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it for good, however it is. */
  end(): Promise<void>;
  /** Everything that it has written in all its lives. */
  output(): string;
}

/**
 * Starts an app under a name.
 *
 * @param build the root of another build of the product, whose app it is; this one's if not given
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
