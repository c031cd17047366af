import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the command line of a running process, or undefined if there is none with this id. */
export function commandOf(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\u0000", " ").trim();
  } catch {
    return commandByPs(pid);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but this process is not permitted to signal it.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** For systems without /proc (macOS). */
function commandByPs(pid: number): string | undefined {
  try {
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
