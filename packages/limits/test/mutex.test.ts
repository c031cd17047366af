import { describe, expect, it } from "vitest";
import { createMutex } from "../src/index.ts";

describe("a mutex", () => {
  it("the lock is granted in the order of requests, to one holder at a time", async () => {
    const mutex = createMutex();
    const order: number[] = [];
    let holders = 0;
    const hold = async (n: number) => {
      const release = await mutex.acquire();
      holders += 1;
      expect(holders).toBe(1);
      order.push(n);
      await Promise.resolve();
      holders -= 1;
      release();
    };
    await Promise.all([hold(1), hold(2), hold(3)]);
    expect(order).toEqual([1, 2, 3]);
  });
});
