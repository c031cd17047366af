import { expect, it } from "vitest";
import { settleWithin } from "../src/index.ts";

const endless = new Promise<never>(() => {});

it("returns once the work has ended or failed, without its error", async () => {
  await settleWithin(60_000, Promise.resolve("result"));
  await settleWithin(60_000, Promise.reject(new Error("no")));
});

it("returns after the time limit if the work does not end, and ignores a later failure", async () => {
  await settleWithin(1, endless);
  let fail: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    fail = reject;
  });
  expect(await settleWithin(1, late)).toBeUndefined();
  fail(new Error("too late"));
});
