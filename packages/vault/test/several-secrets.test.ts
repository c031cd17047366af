import { describe, expect, it } from "vitest";
import { createVault } from "../src/index.ts";

const [last, next] = [createVault(() => "last"), createVault(() => "next")];
const both = createVault(() => ["next", "last"]);

describe("a vault of several secrets", () => {
  it("a vault decrypts with any of its secrets in any order and encrypts with the first", async () => {
    const early = createVault(async () => ["last", "next"]);
    for (const vault of [both, early]) {
      expect(await vault.open(await last.seal("text", "c"), "c")).toBe("text");
      expect(await vault.open(await next.seal("text", "c"), "c")).toBe("text");
    }
    const sealed = await both.seal("text", "c");
    expect(await next.open(sealed, "c")).toBe("text");
    await expect(last.open(sealed, "c")).rejects.toThrow();
  });

  it("reseal encrypts texts of other secrets again, once, and rejects texts of unknown secrets", async () => {
    const resealed = await both.reseal(await last.seal("päß", "c"), "c");
    expect(resealed).toBeDefined();
    expect(await next.open(resealed ?? "", "c")).toBe("päß");
    expect(await both.reseal(resealed ?? "", "c")).toBeUndefined();
    const strange = await createVault(() => "a third").seal("text", "c");
    for (const [sealed, context] of [
      [strange, "c"],
      [await last.seal("text", "c"), "another"],
      ["v1.", "c"],
      ["", "c"],
    ] as const) {
      await expect(both.reseal(sealed, context)).rejects.toThrow("Not encrypted by this vault");
    }
  });
});
