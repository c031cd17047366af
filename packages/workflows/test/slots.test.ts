import { describe, expect, it } from "vitest";
import { createMutex } from "../src/base/mutex.ts";
import { createSlots } from "../src/worker/slots.ts";

describe("the slots of a worker", () => {
  it("waiting runs get slots by priority, and in order of arrival within one priority", async () => {
    const slots = createSlots(1);
    const release = slots.takeFree();
    const order: string[] = [];
    const run = (name: string, priority: "HIGH" | "NORMAL" | "LOW") =>
      slots.within(priority, async () => {
        order.push(name);
      });
    const runs = [
      run("low", "LOW"),
      run("first normal", "NORMAL"),
      run("second normal", "NORMAL"),
      run("high", "HIGH"),
    ];
    expect(slots.waiting()).toBe(4);
    release?.();
    await Promise.all(runs);
    expect(order).toEqual(["high", "first normal", "second normal", "low"]);
    expect(slots.waiting()).toBe(0);
  });

  it("a slot is free again after work that throws", async () => {
    const slots = createSlots(1);
    const failing = slots.within("NORMAL", () => Promise.reject(new Error("no")));
    expect(slots.takeFree()).toBeUndefined();
    await expect(failing).rejects.toThrow("no");
    expect(slots.takeFree()).toBeTypeOf("function");
  });
});

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
