import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** How far a script runs: until its output matches, or until it exits with 0. */
export type Milestone = RegExp | "exit";

const graceMs = 15_000;

/**
 * Runs a command in a checkout until its milestone, and then ends every process that it has started: all those that run in the folder
 * of the checkout, which is of this test alone.
 *
 * @throws Error with the end of the output if the command fails before
 */
export async function runUntil(
  command: readonly [string, ...string[]],
  cwd: string,
  until: Milestone,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let end: () => void;
  const reached = new Promise<void>((resolve) => {
    end = resolve;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (until !== "exit" && until.test(output)) end();
      });
    }
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  try {
    const code = await Promise.race([reached, exited]);
    const isReached = until === "exit" ? code === 0 : until.test(output);
    if (!isReached) {
      throw new Error(`${command.join(" ")} ended with ${code}:\n${output.slice(-3000)}`);
    }
  } finally {
    await endGroup(child);
    await endProcessesOf(dirname(cwd));
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  await Promise.race([ended, delay(graceMs)]);
}

/** Ends the processes whose program or current folder is in a folder, such as a PostgreSQL; those in groups of their own too. */
async function endProcessesOf(folder: string): Promise<void> {
  const signalAll = (signal: NodeJS.Signals) => {
    const found = processesOf(folder);
    for (const pid of found) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
    return found.length;
  };
  const deadline = Date.now() + graceMs;
  while (signalAll(Date.now() < deadline ? "SIGTERM" : "SIGKILL") > 0) await delay(200);
}

/** Only Linux shows them; elsewhere the group of the command is all that ends. */
function processesOf(folder: string): number[] {
  if (process.platform !== "linux") return [];
  const isOf = (path: string) => path.startsWith(`${folder}/`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ["cwd", "exe"].some((link) => isOf(linkOf(`/proc/${pid}/${link}`))))
    .map(Number);
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
