import { describe, expect, it } from "vitest";
import { createSample, everyAnswer, readSample } from "../src/openapi/answer-sample.ts";

const isIncluded = (sample: ReturnType<typeof createSample>, kind: string, count: number) =>
  Array.from({ length: count }, () => sample.includes(kind));

describe("a sample of responses", () => {
  it("includes the first response of each kind", () => {
    const sample = createSample(1);
    for (let kind = 0; kind < 100; kind += 1) {
      expect(sample.includes(`get /things ${kind}`)).toBe(true);
    }
  });

  it("includes about one in eight of the further responses of a kind", () => {
    const included = isIncluded(createSample(1), "get /things 200", 8001).filter(Boolean).length;
    expect(included).toBeGreaterThan(900);
    expect(included).toBeLessThan(1100);
  });

  it("includes the same responses of a kind for the same seed, whatever others arrive between", () => {
    const alone = isIncluded(createSample(7), "get /things 200", 200);
    const mixed = createSample(7);
    const between = alone.map(() => {
      mixed.includes("post /things 201");
      return mixed.includes("get /things 200");
    });
    expect(between).toEqual(alone);
    expect(isIncluded(createSample(8), "get /things 200", 200)).not.toEqual(alone);
  });

  it("is chosen by the environment, and includes every response by default", () => {
    for (const environment of [
      {},
      { ROWHOUSE_CHECK_ANSWERS: "" },
      { ROWHOUSE_CHECK_ANSWERS: "every" },
    ]) {
      expect(readSample(environment)).toBe(everyAnswer);
    }
    const sampled = (seed?: string) =>
      isIncluded(
        readSample({ ROWHOUSE_CHECK_ANSWERS: "sampled", ROWHOUSE_FUZZ_SEED: seed }),
        "get /things 200",
        200,
      );
    expect(sampled("7")).toEqual(isIncluded(createSample(7), "get /things 200", 200));
    expect(sampled()).toEqual(sampled());
    expect(sampled()).not.toEqual(sampled("7"));
    expect(() => readSample({ ROWHOUSE_CHECK_ANSWERS: "some" })).toThrow(
      'ROWHOUSE_CHECK_ANSWERS must be "every" or "sampled", not "some"',
    );
  });
});
