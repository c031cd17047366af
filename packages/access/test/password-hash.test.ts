import { hash as argon2 } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../src/index.ts";

describe("password hashes", () => {
  it("a password is hashed with argon2id of at least 19 MiB and verified", async () => {
    const hashed = await hashPassword("correct horse battery staple");
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hashed, "correct horse battery staple")).toEqual({
      isRight: true,
      isOutdated: false,
    });
    expect(await verifyPassword(hashed, "correct horse battery stapl")).toMatchObject({
      isRight: false,
    });
  });

  it("a hash of weaker parameters, or of a text that is not normalized, is right and outdated", async () => {
    const typed = "cafe\u0301 au lait";
    const weak = { memoryCost: 4096, timeCost: 2, parallelism: 1 };
    for (const [hashed, password] of [
      [await argon2("correct horse", weak), "correct horse"],
      [await argon2(typed), typed],
    ] as const) {
      expect(await verifyPassword(hashed, password)).toEqual({ isRight: true, isOutdated: true });
    }
  });

  // In the order of the forms: composed, decomposed, Hangul, the angstrom sign, a stack of two marks in both orders.
  it.each([
    ["caf\u00e9 au lait", "cafe\u0301 au lait"],
    [
      "\ud55c\uae00 \ube44\ubc00",
      "\u1112\u1161\u11ab\u1100\u1173\u11af \u1107\u1175\u1106\u1175\u11af",
    ],
    ["\u00c5ngstr\u00f6m", "\u212bngstro\u0308m"],
    ["q\u0307\u0323", "q\u0323\u0307"],
  ])(
    "the password %s is the same in each form of Unicode that is canonically equal",
    async (one, other) => {
      expect(one).not.toBe(other);
      for (const [set, typed] of [
        [one, other],
        [other, one],
      ] as const) {
        const match = await verifyPassword(await hashPassword(set), typed);
        expect(match).toEqual({ isRight: true, isOutdated: false });
      }
      // Compatible characters are other characters.
      const ligature = await verifyPassword(
        await hashPassword("\ufb01sh and chips"),
        "fish and chips",
      );
      expect(ligature.isRight).toBe(false);
    },
  );

  it("passwords are hashed a few at a time, and those beyond a full queue are rejected at once", async () => {
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

  it("the event loop continues while a password is hashed", async () => {
    let turns = 0;
    let isHashing = true;
    const turn = () => {
      turns += 1;
      if (isHashing) setImmediate(turn);
    };
    setImmediate(turn);
    await hashPassword("correct horse battery staple");
    isHashing = false;
    // If the loop did the work, it would turn only once or twice meanwhile.
    expect(turns).toBeGreaterThan(20);
  });

  it("a password check for an unknown user always fails", async () => {
    expect(await verifyPassword(null, "correct horse battery staple")).toEqual({
      isRight: false,
      isOutdated: false,
    });
  });
});
