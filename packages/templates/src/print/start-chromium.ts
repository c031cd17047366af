import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

export interface ChromiumOptions {
  /** The path of the program. */
  readonly path: string;
  /** Chromium's own sandbox; it needs user namespaces and another user than root. */
  readonly isSandboxed: boolean;
}

export interface ChromiumProcess {
  /** The pipe for commands. */
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process has ended, with the end of its log. */
  readonly ended: Promise<string>;
  /** Kills all processes of the browser and removes their files. */
  stop(): Promise<void>;
}

/** The limit of each process of the browser, in KiB of written memory. */
const memoryMaxKib = 1_048_576;
const logMax = 2000;

/**
 * A proxy that no program listens at, and names that resolve to nothing: the second wall behind the interception of all
 * requests, for connections that precede a request (`preconnect`).
 */
const withoutNetwork = [
  "--proxy-server=127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a Chromium of its own for one document: without the environment of this process, and with bounded memory. */
export async function startChromium(options: ChromiumOptions): Promise<ChromiumProcess> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-pdf-"));
  const args = [
    "--headless",
    "--remote-debugging-pipe",
    `--user-data-dir=${folder}`,
    ...withoutNetwork,
    "--disable-extensions",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--no-first-run",
    "--no-default-browser-check",
    ...(options.isSandboxed ? [] : ["--no-sandbox"]),
  ];
  // A limit can only be set before the program starts, so a shell sets it and becomes the program.
  const limited = ["-c", `ulimit -d ${memoryMaxKib}; exec "$0" "$@"`, options.path, ...args];
  const child = spawn("/bin/sh", limited, {
    // A group of its own: the browser consists of several processes.
    detached: true,
    env: { HOME: folder, TMPDIR: folder, PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-logMax);
  });
  const ended = once(child, "close").then(
    () => log,
    (error: Error) => error.message,
  );
  return {
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    ended,
    stop: async () => {
      killGroup(child.pid);
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group has ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
