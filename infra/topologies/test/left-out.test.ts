import { describe, expect, it } from "vitest";
import { leftOut } from "../src/left-out.ts";
import { appTests, startsTestEnvironment, topologyTests } from "../src/test-files.ts";

describe("a test file of an app", () => {
  it("runs on every topology, or states a reason why it does not", () => {
    expect(topologyTests().length).toBeGreaterThan(40);
    expect(topologyTests().filter((path) => !startsTestEnvironment(path))).toEqual([]);
  });

  it("that states a reason exists", () => {
    const tests = appTests();
    expect(Object.keys(leftOut).filter((path) => !tests.includes(path))).toEqual([]);
    expect(Object.values(leftOut).filter((reason) => reason.length < 5)).toEqual([]);
  });
});
