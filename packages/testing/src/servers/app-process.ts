import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "./free-port.ts";

/** An app in its own process. */
export interface AppProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Waits until `/readyz` is 200. Throws an error with the app's output if it exits instead. */
  untilReady(): Promise<void>;
  /** Returns its output so far. */
  output(): string;
  /** Sets its clock ahead of the real one. It must have been launched with `movesClock`. */
  moveClock(aheadMs: number): Promise<void>;
  /** Sends SIGTERM and waits for the exit; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface LaunchOptions {
  readonly args?: readonly string[];
  /** A folder with the app's build output, which runs instead of the sources. */
  readonly artefact?: string;
  /** Whether its clock can be moved. */
  readonly movesClock?: boolean;
}

export type AppName = "gateway" | "data-api" | "admin-api" | "workflow-worker" | "standalone";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const startTimeoutMs = 180_000;

/**
 * Starts an app with this environment, PATH and no other variable, on a free port unless PORT is given, and waits
 * until it is ready.
 *
 * @throws Error with its output, if it exits instead
 */
export async function startApp(
  app: AppName,
  environment: Readonly<Record<string, string>>,
  options: LaunchOptions = {},
): Promise<AppProcess> {
  const launched = await launchApp(app, environment, options);
  await launched.untilReady();
  return launched;
}

/** Starts an app like `startApp`, without waiting. */
export async function launchApp(
  app: AppName,
  environment: Readonly<Record<string, string>>,
  options: LaunchOptions = {},
): Promise<AppProcess> {
  const port = environment.PORT ?? String(await findFreePort());
  const variables = { LOG_LEVEL: "warn", ...environment, PORT: port };
  const { child, output } = spawnApp(app, variables, options);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    child,
    output,
    moveClock: async (aheadMs) => {
      if (!child.connected) {
        throw new Error(`${app} has ended (${child.exitCode ?? child.signalCode}):\n${output()}`);
      }
      const heard = once(child, "message");
      child.send(aheadMs);
      await heard;
    },
    untilReady: async () => {
      const until = Date.now() + startTimeoutMs;
      for (;;) {
        const answer = await askReadiness(url);
        if (answer === undefined) return;
        const end = child.exitCode ?? child.signalCode;
        if (end !== null || Date.now() > until) {
          child.kill("SIGKILL");
          throw new Error(`${app} did not become ready (${end ?? answer}):\n${output()}`);
        }
        await delay(50);
      }
    },
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, "exit");
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Runs an app that is expected to exit; returns its exit code and output. */
export async function runApp(
  app: AppName,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output } = spawnApp(app, environment, { args });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: output() };
}

function spawnApp(
  app: AppName,
  environment: Readonly<Record<string, string>>,
  { args = [], artefact, movesClock = false }: LaunchOptions,
): { readonly child: ChildProcess; readonly output: () => string } {
  const child = spawn(process.execPath, [...programOf(app, artefact, movesClock), ...args], {
    cwd: artefact ?? root,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe", ...(movesClock ? (["ipc"] as const) : [])],
  });
  // A failing test must not leave it running.
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  return { child, output: () => written };
}

/**
 * Whether to run the build output (`ROWHOUSE_TEST_BUILT=1`) instead of the sources: many processes then start in half
 * the time.
 */
function programOf(app: AppName, artefact: string | undefined, movesClock: boolean): string[] {
  if (artefact !== undefined) return ["dist/main.js"];
  const isBuilt = process.env.ROWHOUSE_TEST_BUILT === "1";
  return [
    ...(isBuilt ? [] : ["--conditions=rowhouse-source"]),
    ...(isBuilt && !movesClock ? [] : ["--import", "tsx"]),
    // It has no build output.
    ...(movesClock ? ["--import", "./packages/testing/src/moved-clock.ts"] : []),
    isBuilt ? `./apps/${app}/dist/main.js` : `./apps/${app}/src/main.ts`,
  ];
}

/** Returns the reason why a process is not ready; undefined once it is. */
async function askReadiness(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/readyz`);
    const text = await answer.text();
    return answer.ok ? undefined : text;
  } catch (error) {
    return error instanceof Error ? String(error.cause ?? error) : String(error);
  }
}
