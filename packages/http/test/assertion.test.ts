import { decodeJwt, SignJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { createAssertionSigner, createAssertionVerifier } from "../src/index.ts";

const secret = "a secret of the test's own, long enough";
const edge = { requestId: "r", clientAddress: "2001:db8::1" };

afterEach(() => {
  vi.useRealTimers();
});

test("an assertion is valid for one minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01T00:00:00Z") });
  const assertion = await createAssertionSigner(secret)(edge, "data-api");
  const verify = createAssertionVerifier({ secrets: [secret], audience: "data-api" });
  expect((await verify(assertion)).clientAddress).toBe("2001:db8::1");
  vi.setSystemTime(Date.parse("2030-01-01T00:00:59Z"));
  await verify(assertion);
  vi.setSystemTime(Date.parse("2030-01-01T00:01:01Z"));
  await expect(verify(assertion)).rejects.toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
});

test("requests of one caller share a signature for half a minute", async () => {
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

test("no signature of a clock that was set back since is used", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-02T00:00:00Z") });
  const sign = createAssertionSigner(secret);
  await sign(edge, "data-api");
  vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
  const verify = createAssertionVerifier({ secrets: [secret], audience: "data-api" });
  expect((await verify(await sign(edge, "data-api"))).clientAddress).toBe("2001:db8::1");
});

test("during rotation both secrets are accepted", async () => {
  const verify = createAssertionVerifier({
    secrets: ["the next secret", secret],
    audience: "data-api",
  });
  for (const current of ["the next secret", secret]) {
    const assertion = await createAssertionSigner(current)(edge, "data-api");
    await verify(assertion);
  }
});

test("clocks may differ by at most half a minute in either direction", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01T00:00:00Z") });
  const assertion = await createAssertionSigner(secret)(edge, "data-api");
  const verifyAt = async (time: string) => {
    vi.setSystemTime(Date.parse(time));
    return createAssertionVerifier({ secrets: [secret], audience: "data-api" })(assertion);
  };
  for (const time of ["2029-12-31T23:59:31Z", "2030-01-01T00:00:59Z"]) {
    expect((await verifyAt(time)).clientAddress).toBe("2001:db8::1");
  }
  for (const time of ["2029-12-31T23:59:29Z", "2029-12-31T22:00:00Z", "2030-01-01T00:01:01Z"]) {
    await expect(verifyAt(time)).rejects.toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
  }
});

test("an assertion that the gateway's key did not sign completely is rejected", async () => {
  const verify = createAssertionVerifier({ secrets: [secret], audience: "data-api" });
  const good = await createAssertionSigner(secret)(edge, "data-api");
  const [header = "", payload = "", signature = ""] = good.split(".");
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  // The key is derived from the secret, so a token that is signed with the secret itself for another purpose is not an
  // assertion.
  const underSecret = (changes: object, alg = "HS256") =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(secret));
  const bad = [
    undefined,
    null,
    "",
    "x",
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${encode({ alg: "none" })}.${payload}.`,
    `${encode({ alg: "none" })}.${payload}.${signature}`,
    `${header}.${encode({ ...claims, address: "192.0.2.1" })}.${signature}`,
    `${header}.${payload}.${signature.split("").reverse().join("")}`,
    `${good}, ${good}`,
    await underSecret({}),
    await underSecret({}, "HS512"),
    await createAssertionSigner("another secret, just as long as it is")(edge, "data-api"),
    await createAssertionSigner(secret)(edge, "admin-api"),
    await createAssertionSigner(secret)(edge, "data-api,admin-api"),
  ];
  for (const assertion of bad) {
    await expect((async () => verify(assertion))()).rejects.toMatchObject({
      code: "AUTHENTICATION_REQUIRED",
    });
  }
  expect((await verify(good)).clientAddress).toBe("2001:db8::1");
});
