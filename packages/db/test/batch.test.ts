import { createError } from "@rowhouse/errors";
import { expect, it } from "vitest";
import { createBatch } from "../src/index.ts";

/** Statements that the test ends. */
function openBatch(fault?: (items: readonly string[]) => unknown) {
  const statements: { readonly items: readonly string[]; readonly end: () => void }[] = [];
  const carryOut = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const end = () => {
        const error = fault?.(items);
        if (error === undefined) resolve(items.map((item) => `${item}!`));
        else reject(error);
      };
      statements.push({ items, end });
    });
  const send = createBatch<string, string>({
    alone: async (item) => (await carryOut([item])).join(),
    together: carryOut,
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (index: number) => {
    statements[index]?.end();
    await tick();
    await tick();
  };
  return { send, statements, end, sent: () => statements.map(({ items }) => items.join("")) };
}

it("repeats each item alone if a statement was rejected or rolled back", async () => {
  for (const code of ["FOREIGN_KEY_VIOLATION", "QUERY_TIMEOUT"] as const) {
    const fault = (items: readonly string[]) =>
      items.includes("c") ? createError(code) : undefined;
    const { send, end, sent } = openBatch(fault);
    const answers = Promise.allSettled([..."abcd"].map(send));
    await end(0);
    await end(1);
    expect(sent()).toEqual(["a", "bcd", "b", "c", "d"]);
    for (const index of [2, 3, 4]) await end(index);
    expect(await answers).toMatchObject([
      { value: "a!" },
      { value: "b!" },
      { reason: { code } },
      { value: "d!" },
    ]);
  }
});

it("repeats no item if the statement may have taken effect", async () => {
  const code = "SERVICE_UNAVAILABLE";
  const { send, end, sent } = openBatch((items) =>
    items.length > 1 ? createError(code) : undefined,
  );
  const answers = Promise.allSettled([..."abc"].map(send));
  await end(0);
  await end(1);
  expect(sent()).toEqual(["a", "bc"]);
  expect(await answers).toMatchObject([
    { value: "a!" },
    { reason: { code } },
    { reason: { code } },
  ]);
});
