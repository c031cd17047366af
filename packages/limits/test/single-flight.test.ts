import { expect, test } from "vitest";
import { nextFlight, singleFlight } from "../src/index.ts";

/** A query whose results the test controls. */
function open(share: typeof singleFlight) {
  const answers: ((value: number | Error) => void)[] = [];
  const ask = share(
    () =>
      new Promise<number>((resolve, reject) => {
        answers.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
      }),
  );
  return { ask, answers };
}

test("callers that arrive during a query share it, and a later caller starts another", async () => {
  const { ask, answers } = open(singleFlight);
  const callers = [ask(), ask(), ask()];
  expect(answers).toHaveLength(1);
  answers[0]?.(1);
  expect(await Promise.all(callers)).toEqual([1, 1, 1]);
  const failing = ask();
  expect(answers).toHaveLength(2);
  answers[1]?.(new Error("away"));
  await expect(failing).rejects.toThrow("away");
  const last = ask();
  answers[2]?.(3);
  expect(await last).toBe(3);
});

test("callers that need a newer query than the current one share the next one", async () => {
  const { ask, answers } = open(nextFlight);
  const first = ask();
  const others = [ask(), ask(), ask()];
  expect(answers).toHaveLength(1);
  answers[0]?.(1);
  expect(await first).toBe(1);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  const last = ask();
  expect(answers).toHaveLength(3);
  answers[2]?.(3);
  expect(await last).toBe(3);
});

test("a failure reaches only the callers of that query, and the next one still runs", async () => {
  const { ask, answers } = open(nextFlight);
  const first = ask();
  const second = ask();
  answers[0]?.(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(2);
  expect(await second).toBe(2);
});
