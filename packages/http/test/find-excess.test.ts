import { findExcess } from "@rowhouse/wire";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const schema = z.strictObject({
  data: z
    .strictObject({
      name: z.string(),
      tags: z.array(z.strictObject({ label: z.string() })).max(100),
      list: z.array(z.string()).optional(),
      values: z.record(z.string(), z.unknown()).default({}),
      anything: z.unknown(),
    })
    .nullable(),
});

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

/** An object that counts reads of its properties. */
function counted(count: number) {
  let reads = 0;
  const target = keys(count);
  const proxy = new Proxy(target, {
    get: (from, key) => {
      reads += 1;
      return Reflect.get(from, key);
    },
  });
  return { proxy, reads: () => reads };
}

describe("excess in a body", () => {
  it("findExcess returns the first unknown keys at any depth without reading their values", () => {
    const { proxy, reads } = counted(1000);
    const found = findExcess(schema, { data: { name: "a", ...keys(5), tags: [proxy] } }, 20);
    expect(found).toHaveLength(20);
    expect(found[0]).toEqual({ path: ["data", "k0"], message: "Unknown field" });
    expect(found.at(-1)?.path).toEqual(["data", "tags", 0, "k14"]);
    expect(reads()).toBe(0);
  });

  it("findExcess returns a list or a record that exceeds the general limit", () => {
    expect(findExcess(schema, { data: { list: Array(10_001).fill(1) } }, 20)).toEqual([
      { path: ["data", "list"], message: "A list has at most 10000 items" },
    ]);
    expect(findExcess(schema, { data: { values: keys(10_001) } }, 20)).toEqual([
      { path: ["data", "values"], message: "An object has at most 10000 keys" },
    ]);
  });

  it("findExcess returns nothing for values that the schema itself rejects or accepts", () => {
    for (const value of [
      { data: { name: 1, ...keys(19) } },
      { data: null },
      { data: { anything: keys(50_000), list: "no list", values: [] } },
      { data: { tags: Array.from({ length: 101 }, () => keys(30)) } },
      [],
      null,
    ]) {
      expect(findExcess(schema, value, 20)).toEqual([]);
    }
  });
});
