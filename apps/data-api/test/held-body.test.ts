import { expect, it } from "vitest";
import { heldBody } from "../src/routes/held-body.ts";

const text = "é".repeat(200_000);
const createLease = () => {
  let releases = 0;
  const release = () => {
    releases += 1;
  };
  return { bytes: 400_000, release, count: () => releases };
};

it("a body is whole, and its lease ends with the last chunk", async () => {
  const lease = createLease();
  const body = heldBody(text, lease, new AbortController().signal);
  expect(await new Response(body).text()).toBe(text);
  expect(lease.count()).toBe(1);
});

it("the text of a slow reader is given up together with its lease", async () => {
  const lease = createLease();
  const reader = heldBody(text, lease, new AbortController().signal, 20).getReader();
  await reader.read();
  await expect(reader.closed).rejects.toThrow("too slowly");
  expect(lease.count()).toBe(1);
});

it("a caller that left before its body began holds no lease", () => {
  const lease = createLease();
  heldBody(text, lease, AbortSignal.abort());
  expect(lease.count()).toBe(1);
});
