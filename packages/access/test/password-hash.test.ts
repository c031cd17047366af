import { describe, expect, it } from "vitest";
import { hashPassword, needsRehash, verifyPassword } from "../src/index.ts";

describe("password hashes", () => {
  it("a password is hashed with argon2id of at least 19 MiB and verified", async () => {
    const hashed = await hashPassword("correct horse battery staple");
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hashed, "correct horse battery staple")).toBe(true);
    expect(await verifyPassword(hashed, "correct horse battery stapl")).toBe(false);
    expect(needsRehash(hashed)).toBe(false);
    expect(needsRehash(hashed.replace("m=19456", "m=4096"))).toBe(true);
  });

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
    expect(await verifyPassword(null, "correct horse battery staple")).toBe(false);
  });
});
