import { describe, expect, it } from "vitest";
import { createSecret, digestSecret, parseAuthorization, parseSecret } from "../src/index.ts";

describe("credentials", () => {
  it("a credential is recognized by prefix, length and checksum", () => {
    const secret = createSecret("SESSION");
    expect(secret).toMatch(/^rhs_[0-9A-Za-z]{36}$/);
    expect(createSecret("TOKEN")).toMatch(/^rhp_[0-9A-Za-z]{36}$/);
    expect(parseSecret(secret)).toEqual({ kind: "SESSION", digest: digestSecret(secret) });
  });

  it("a credential with any one character changed is rejected without a query", () => {
    const secret = createSecret("TOKEN");
    for (let at = 4; at < secret.length; at += 1) {
      const other = secret[at] === "A" ? "B" : "A";
      expect(parseSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBeUndefined();
    }
  });

  it.each([
    undefined,
    null,
    "",
    "Bearer",
    "Bearer ",
    "Basic abc",
    "Bearer rhs_short",
    "bearer\trhs_",
  ])("%j is not parsed as a credential", (header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });

  it("the scheme of a credential is case-insensitive", () => {
    const secret = createSecret("SESSION");
    expect(parseAuthorization(`bEaReR ${secret}`)).toEqual(parseSecret(secret));
  });
});
