import { describe, expect, it } from "vitest";
import { createPrioritySemaphore } from "../src/index.ts";

const priorities = ["HIGH", "NORMAL", "LOW"] as const;

describe("a semaphore with priorities", () => {
  it("waiting callers get permits by priority, and in order of arrival within one priority", async () => {
    const semaphore = createPrioritySemaphore(1, priorities);
    const release = semaphore.takeFree();
    const order: string[] = [];
    const run = (name: string, priority: "HIGH" | "NORMAL" | "LOW") =>
      semaphore.within(priority, async () => {
        order.push(name);
      });
    const runs = [
      run("low", "LOW"),
      run("first normal", "NORMAL"),
      run("second normal", "NORMAL"),
      run("high", "HIGH"),
    ];
    expect(semaphore.waiting()).toBe(4);
    release?.();
    await Promise.all(runs);
    expect(order).toEqual(["high", "first normal", "second normal", "low"]);
    expect(semaphore.waiting()).toBe(0);
  });

  it("a permit is free again after work that throws", async () => {
    const semaphore = createPrioritySemaphore(1, priorities);
    const failing = semaphore.within("NORMAL", () => Promise.reject(new Error("no")));
    expect(semaphore.takeFree()).toBeUndefined();
    await expect(failing).rejects.toThrow("no");
    expect(semaphore.takeFree()).toBeTypeOf("function");
  });
});
