import { describe, expect, it } from "vitest";
import { checkPassword } from "../src/index.ts";
import { leakedPasswordDigests } from "../src/passwords/check-password.ts";
import { leakedDigestBytes } from "../src/passwords/password-rules.ts";

describe("password rules", () => {
  it.each(["elevenchars", "x".repeat(257), "Password1234", "qwertyuiop123"])(
    "the password %s is rejected",
    (password) => {
      expect(checkPassword(password, "/password")).toHaveLength(1);
    },
  );

  // From the start, the middle and the end of the leaked list, in any case.
  it.each(["Mailcreated5240", "DancingQueen", "computronics", "cutiepie1962", "0909809809-80"])(
    "the leaked password %s is rejected",
    (password) => {
      expect(checkPassword(password, "/password")).toMatchObject([
        { message: "This password is too common" },
      ]);
    },
  );

  it("the list of leaked passwords has 10 000 distinct digests in ascending order", () => {
    const digests = leakedPasswordDigests();
    expect(digests.length).toBe(10_000 * leakedDigestBytes);
    const texts = Array.from({ length: 10_000 }, (_, index) =>
      digests.toString("hex", index * leakedDigestBytes, (index + 1) * leakedDigestBytes),
    );
    expect(texts).toEqual([...new Set(texts)].sort());
  });

  it.each([
    ["DanaMiller2024!", ["dana.miller@example.com", ""]],
    ["miller-dana-1985", ["x@example.com", "Dana Miller"]],
    ["example.com#123", ["x@example.com", ""]],
    ["Rowhouse!2026", ["x@example.com", ""]],
    ["жанна-жанна-12", ["x@example.com", "Жанна"]],
  ])(
    "the password %s is rejected for an account with the address and name %j",
    (password, about) => {
      expect(checkPassword(password, "/password", about)).toMatchObject([
        { code: "BODY_INVALID", path: "/password" },
      ]);
      expect(checkPassword(password, "/password", ["z@other.org"])).toHaveLength(
        password.startsWith("Rowhouse") ? 1 : 0,
      );
    },
  );

  it("a sentence that contains a name is accepted", () => {
    const about = ["dana.miller@example.com", "Dana Miller"];
    for (const password of [
      "Dana likes paper boats",
      "x7Kq!dana.Lp29vT",
      "a horse that nobody knows",
    ]) {
      expect(checkPassword(password, "/password", about)).toEqual([]);
    }
  });

  it("a long sentence is accepted", () => {
    expect(checkPassword("correct horse battery staple", "/password")).toEqual([]);
  });
});
