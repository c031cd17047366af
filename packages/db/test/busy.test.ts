import { expect, it } from "vitest";
import { busy } from "../src/index.ts";

it("a request that finds no permit in time gets 503 with Retry-After", () => {
  expect(busy()).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    headers: { "Retry-After": "1" },
  });
});
