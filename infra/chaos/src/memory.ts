import { spawnSync } from "node:child_process";
import type { Member } from "./member.ts";

/** Returns the resident memory of each running process, in MiB, by its name. */
export function memoryOf(members: readonly Member[]): Map<string, number> {
  const names = new Map(members.map((member) => [member.pid(), member.name]));
  const pids = [...names.keys()].filter((pid) => pid !== undefined);
  const { stdout } = spawnSync("ps", ["-o", "pid=,rss=", "-p", pids.join(",")], {
    encoding: "utf8",
  });
  const memory = new Map<string, number>();
  for (const line of stdout.trim().split("\n")) {
    const [pid, kibibytes] = line.trim().split(/\s+/).map(Number);
    const name = names.get(pid);
    if (name !== undefined && kibibytes !== undefined) memory.set(name, kibibytes / 1024);
  }
  return memory;
}
