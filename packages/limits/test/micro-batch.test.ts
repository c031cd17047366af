import { expect, it } from "vitest";
import { createMicroBatch } from "../src/index.ts";

/** The error of an operation that may have taken effect. */
const lost = new Error("lost");

/** Operations that the test ends. */
function openBatch(fault?: (items: readonly string[]) => unknown) {
  const operations: { readonly items: readonly string[]; readonly end: () => void }[] = [];
  const carryOut = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const end = () => {
        const error = fault?.(items);
        if (error === undefined) resolve(items.map((item) => `${item}!`));
        else reject(error);
      };
      operations.push({ items, end });
    });
  const send = createMicroBatch<string, string>({
    alone: async (item) => (await carryOut([item])).join(),
    together: carryOut,
    mayHaveHappened: (error) => error === lost,
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (index: number) => {
    operations[index]?.end();
    await tick();
    await tick();
  };
  return { send, operations, end, sent: () => operations.map(({ items }) => items.join("")) };
}

it("sends one item at once, and the items that arrive meanwhile together in their order", async () => {
  const { send, end, sent } = openBatch();
  const answers = Promise.all([..."abcdefghijkl"].map(send));
  expect(sent()).toEqual(["a"]);
  await end(0);
  expect(sent()).toEqual(["a", "bcdefghi"]);
  await end(1);
  expect(sent()).toEqual(["a", "bcdefghi", "jkl"]);
  await end(2);
  expect((await answers).join("")).toBe("a!b!c!d!e!f!g!h!i!j!k!l!");
  const later = send("m");
  expect(sent().at(-1)).toBe("m");
  await end(3);
  expect(await later).toBe("m!");
});

it("limits the wait behind a delayed operation", async () => {
  const { send, end, sent } = openBatch();
  const answers = Promise.all([..."abc"].map(send));
  await expect.poll(sent).toEqual(["a", "bc"]);
  await end(1);
  const later = send("d");
  await expect.poll(sent).toEqual(["a", "bc", "d"]);
  for (const index of [0, 2]) await end(index);
  expect(await Promise.all([answers, later])).toEqual([["a!", "b!", "c!"], "d!"]);
});

it("repeats each item alone if their operation failed without effect", async () => {
  const rejected = new Error("rejected");
  const { send, end, sent } = openBatch((items) => (items.includes("c") ? rejected : undefined));
  const answers = Promise.allSettled([..."abcd"].map(send));
  for (const index of [0, 1, 2, 3, 4]) await end(index);
  expect(sent()).toEqual(["a", "bcd", "b", "c", "d"]);
  expect(await answers).toMatchObject([
    { value: "a!" },
    { value: "b!" },
    { reason: rejected },
    { value: "d!" },
  ]);
});

it("repeats no item of an operation that may have taken effect", async () => {
  const { send, end, sent } = openBatch((items) => (items.length > 1 ? lost : undefined));
  const answers = Promise.allSettled([..."abc"].map(send));
  for (const index of [0, 1]) await end(index);
  expect(sent()).toEqual(["a", "bc"]);
  expect(await answers).toMatchObject([{ value: "a!" }, { reason: lost }, { reason: lost }]);
});
