import { expect, it } from "vitest";
import { createSerialTask } from "../src/index.ts";

/** A task whose turns the test ends. */
function openTask(reported: unknown[] = []) {
  const turns: ((error?: Error) => void)[] = [];
  const task = createSerialTask(
    () =>
      new Promise<void>((resolve, reject) => {
        turns.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
    (error) => reported.push(error),
  );
  return { task, turns };
}

it("one turn serves the triggers of one tick, and one more all triggers during it", async () => {
  const { task, turns } = openTask();
  for (let n = 0; n < 3; n += 1) task.trigger();
  await expect.poll(() => turns.length).toBe(1);
  for (let n = 0; n < 3; n += 1) task.trigger();
  turns[0]?.();
  await expect.poll(() => turns.length).toBe(2);
  turns[1]?.();
  await task.idle();
  expect(turns).toHaveLength(2);
});

it("a turn that throws is reported, and the next one runs", async () => {
  const reported: unknown[] = [];
  const { task, turns } = openTask(reported);
  task.trigger();
  await expect.poll(() => turns.length).toBe(1);
  task.trigger();
  turns[0]?.(new Error("no"));
  await expect.poll(() => turns.length).toBe(2);
  expect(reported).toMatchObject([{ message: "no" }]);
  turns[1]?.();
  await task.idle();
});

it("a task that is never triggered is idle", async () => {
  const { task, turns } = openTask();
  await task.idle();
  expect(turns).toEqual([]);
});
