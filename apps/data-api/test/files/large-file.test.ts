// Tiers: long, topologies. Moves a file of 1 GB.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isLongRun, topologyNames } from "@rowhouse/testing";
import { describe, expect, it } from "vitest";
import { openFileEnvironment } from "./file-environment.ts";

// A file of 1 GB in constant memory, in one process and in several. `npm run test:long` runs it.

const isLong = isLongRun();
const chunk = Buffer.alloc(1_000_000, "0123456789");
const chunks = 1000;
const growthMax = 150_000_000;

describe.runIf(isLong).each(topologyNames("one", "four"))("a file of 1 GB, in %s", (kind) => {
  it("goes up and down without growing any process", async () => {
    const files = await openFileEnvironment({ kind });
    try {
      const memory = watchMemory(files.environment.processes.map(({ child }) => child.pid ?? 0));
      const digest = createHash("sha256");
      const body = ReadableStream.from(
        (function* () {
          for (let count = 0; count < chunks; count += 1) {
            digest.update(chunk);
            yield chunk;
          }
        })(),
      );
      const made = await files.ask("/api/files?name=large.bin", {
        ...{ method: "POST", as: files.admin.secret, body },
      });
      expect(made.json.data.sha256).toBe(digest.digest("hex"));
      const answer = await fetch(`${files.environment.url}/api/files/${made.json.data.id}`, {
        headers: { Authorization: `Bearer ${files.admin.secret}` },
      });
      const received = createHash("sha256");
      for await (const part of answer.body ?? []) received.update(part);
      expect(received.digest("hex")).toBe(made.json.data.sha256);
      expect(memory.stop()).toBeLessThan(growthMax);
    } finally {
      await files.stop();
    }
  }, 600_000);
});

/** @returns stops watching, and returns the largest growth of one process in bytes */
function watchMemory(pids: readonly number[]): { stop(): number } {
  const before = pids.map(residentBytes);
  let growth = 0;
  const timer = setInterval(() => {
    for (const [index, pid] of pids.entries()) {
      growth = Math.max(growth, residentBytes(pid) - (before[index] ?? 0));
    }
  }, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return growth;
    },
  };
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
