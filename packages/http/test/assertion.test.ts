import { decodeJwt } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { createAssertionSigner, createAssertionVerifier } from "../src/index.ts";

const secret = "a secret of the test's own, long enough";
const edge = { requestId: "r", clientAddress: "2001:db8::1" };

afterEach(() => {
  vi.useRealTimers();
});

test("an assertion lives a minute, and no longer", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01T00:00:00Z") });
  const assertion = await createAssertionSigner(secret)(edge, "data-api");
  const verify = createAssertionVerifier({ secrets: [secret], audience: "data-api" });
  expect((await verify(assertion)).clientAddress).toBe("2001:db8::1");
  vi.setSystemTime(Date.parse("2030-01-01T00:00:59Z"));
  await verify(assertion);
  vi.setSystemTime(Date.parse("2030-01-01T00:01:01Z"));
  await expect(verify(assertion)).rejects.toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
});

test("one caller's requests share a signature for half a minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01T00:00:00Z") });
  const sign = createAssertionSigner(secret);
  const first = await sign(edge, "data-api");
  expect(await sign({ ...edge, requestId: "s" }, "data-api")).toBe(first);
  expect(await sign(edge, "admin-api")).not.toBe(first);
  expect(await sign({ ...edge, clientAddress: "192.0.2.1" }, "data-api")).not.toBe(first);
  vi.setSystemTime(Date.parse("2030-01-01T00:00:31Z"));
  const renewed = decodeJwt(await sign(edge, "data-api"));
  expect(renewed.exp).toBe(Date.parse("2030-01-01T00:01:31Z") / 1000);
});

test("while one secret replaces another, both are good", async () => {
  const verify = createAssertionVerifier({
    secrets: ["the next secret", secret],
    audience: "data-api",
  });
  for (const current of ["the next secret", secret]) {
    const assertion = await createAssertionSigner(current)(edge, "data-api");
    await verify(assertion);
  }
});
