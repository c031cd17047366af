import { expect, it } from "vitest";
import { AppError, createFault, faultsMax, throwFaults } from "../src/index.ts";

const fault = (index: number) => createFault("BODY_INVALID", { path: `/${index}` });

it("an error reports at most twenty faults and requests no more of them", () => {
  let made = 0;
  function* endless() {
    for (;;) {
      yield fault(made);
      made += 1;
    }
  }
  const error = (() => {
    try {
      throwFaults(endless());
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  })();
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).faults).toHaveLength(faultsMax);
  expect((error as AppError).faults.at(-1)?.path).toBe("/19");
  expect(made).toBe(19);
});

it("an error that is constructed with more faults keeps the first twenty", () => {
  const more = Array.from({ length: 99 }, (_, index) => fault(index + 1));
  expect(new AppError([fault(0), ...more]).faults.map(({ path }) => path)).toEqual(
    Array.from({ length: 20 }, (_, index) => `/${index}`),
  );
});

it("an empty list of faults throws nothing", () => {
  expect(() => throwFaults([])).not.toThrow();
});
