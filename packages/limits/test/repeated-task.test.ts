import { expect, it } from "vitest";
import { startRepeatedTask } from "../src/index.ts";

it("turns follow each other, also after one that throws, whose error is reported", async () => {
  const reported: unknown[] = [];
  let turns = 0;
  const task = startRepeatedTask(
    1,
    (error) => reported.push(error),
    async () => {
      turns += 1;
      if (turns === 2) throw new Error("second");
      return undefined;
    },
  );
  await expect.poll(() => turns).toBeGreaterThan(3);
  await task.close();
  expect(reported).toEqual([new Error("second")]);
});

it("a turn that returns a shorter time is repeated after it", async () => {
  let turns = 0;
  const task = startRepeatedTask(3_600_000, console.error, async () => {
    turns += 1;
    return turns < 3 ? 0 : undefined;
  });
  await expect.poll(() => turns).toBe(3);
  await task.close();
});

it("closing aborts the signal of the turn in progress, waits for its end, and starts no other", async () => {
  const seen: string[] = [];
  const task = startRepeatedTask(1, console.error, async (signal) => {
    seen.push("begun");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    seen.push("ended");
    return undefined;
  });
  await task.close();
  expect(seen).toEqual(["begun", "ended"]);
});
