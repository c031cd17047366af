import { describe, expect, it } from "vitest";
import { checkPassword, hashPassword, needsRehash, verifyPassword } from "../src/index.ts";
import { leakedDigestBytes, leakedPasswordDigests } from "../src/leaked-passwords.ts";

describe("passwords", () => {
  it("are hashed with argon2id of at least 19 MiB, and verified", async () => {
    const hashed = await hashPassword("correct horse battery staple");
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hashed, "correct horse battery staple")).toBe(true);
    expect(await verifyPassword(hashed, "correct horse battery stapl")).toBe(false);
    expect(needsRehash(hashed)).toBe(false);
    expect(needsRehash(hashed.replace("m=19456", "m=4096"))).toBe(true);
  });

  it("are hashed a few at a time, and those beyond a full queue are refused at once", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 250 }, () =>
        verifyPassword("$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAA", "x"),
      ),
    );
    const refused = results.filter(
      (result) => result.status === "rejected" && result.reason?.code === "RATE_LIMIT_EXCEEDED",
    );
    expect(refused).toHaveLength(250 - 203);
  });

  it("are hashed beside the event loop, which goes on turning meanwhile", async () => {
    let turns = 0;
    let isHashing = true;
    const turn = () => {
      turns += 1;
      if (isHashing) setImmediate(turn);
    };
    setImmediate(turn);
    await hashPassword("correct horse battery staple");
    isHashing = false;
    // Were it done in the loop, the loop would not have turned but once or twice.
    expect(turns).toBeGreaterThan(20);
  });

  it("of nobody are never right", async () => {
    expect(await verifyPassword(null, "correct horse battery staple")).toBe(false);
  });

  it.each(["elevenchars", "x".repeat(257), "Password1234", "qwertyuiop123"])(
    "refuse %s",
    (password) => {
      expect(checkPassword(password, "/password")).toHaveLength(1);
    },
  );

  // The first of the list of leaked ones, of its middle and of its end, in any case.
  it.each(["Mailcreated5240", "DancingQueen", "computronics", "cutiepie1962", "0909809809-80"])(
    "refuse %s, which many have had",
    (password) => {
      expect(checkPassword(password, "/password")).toMatchObject([
        { message: "This password is too common" },
      ]);
    },
  );

  it("are compared with ten thousand leaked ones, which stand in order", () => {
    const digests = Buffer.from(leakedPasswordDigests, "base64");
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
  ])("refuse %s for somebody of whom one knows %j", (password, about) => {
    expect(checkPassword(password, "/password", about)).toMatchObject([
      { code: "BODY_INVALID", path: "/password" },
    ]);
    expect(checkPassword(password, "/password", ["z@other.org"])).toHaveLength(
      password.startsWith("Rowhouse") ? 1 : 0,
    );
  });

  it("take a sentence in which a name stands", () => {
    const about = ["dana.miller@example.com", "Dana Miller"];
    for (const password of [
      "Dana likes paper boats",
      "x7Kq!dana.Lp29vT",
      "a horse that nobody knows",
    ]) {
      expect(checkPassword(password, "/password", about)).toEqual([]);
    }
  });

  it("take a long sentence", () => {
    expect(checkPassword("correct horse battery staple", "/password")).toEqual([]);
  });
});
