import { expect, it } from "vitest";
import { toAppError } from "../src/index.ts";

it("an answer that is longer than a text can be is the query's fault, and says what to do", () => {
  let thrown: unknown;
  try {
    Buffer.alloc(2 ** 29).toString("latin1");
  } catch (error) {
    thrown = error;
  }
  expect(toAppError(thrown)).toMatchObject({
    code: "QUERY_INVALID",
    faults: [{ message: "The answer would be too long: ask for fewer rows" }],
  });
});
