import { expect, test } from "vitest";
import { shareQuestion } from "../src/index.ts";

/** A query whose results the test controls. */
function open() {
  const answers: ((value: number | Error) => void)[] = [];
  const ask = shareQuestion(
    () =>
      new Promise<number>((resolve, reject) => {
        answers.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
      }),
  );
  return { ask, answers };
}

test("callers that arrive during a query share the next one", async () => {
  const { ask, answers } = open();
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
  const { ask, answers } = open();
  const first = ask();
  const second = ask();
  answers[0]?.(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(2);
  expect(await second).toBe(2);
});
