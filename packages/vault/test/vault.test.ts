import { describe, expect, it } from "vitest";
import { createVault } from "../src/index.ts";

const vault = createVault(() => "a secret");

describe("a vault", () => {
  it("a vault returns the text that it encrypted and never encrypts twice to the same text", async () => {
    const text = "päß\n\u{1f511}";
    const [one, other] = [await vault.seal(text, "c"), await vault.seal(text, "c")];
    expect(one).not.toBe(other);
    expect(await vault.open(one, "c")).toBe(text);
    expect(await vault.open(other, "c")).toBe(text);
    expect(await createVault(async () => "a secret").open(one, "c")).toBe(text);
  });

  it("a text that is sealed repeatably has one form in each process, and others differ", async () => {
    const sealed = await vault.sealRepeatably("text", "c");
    const again = createVault(() => "a secret");
    expect(await again.sealRepeatably("text", "c")).toBe(sealed);
    expect(await again.open(sealed, "c")).toBe("text");
    await expect(again.open(sealed, "d")).rejects.toThrow();
    const nonces = await Promise.all(
      [
        sealed,
        again.sealRepeatably("texu", "c"),
        again.sealRepeatably("text", "d"),
        // The border between text and context is part of the nonce.
        again.sealRepeatably("ext", "ct"),
        createVault(() => "another").sealRepeatably("text", "c"),
      ].map(async (one) => (await one).slice(3, 19)),
    );
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  it("a text with another context or secret, or one that was changed or cut, is not decrypted", async () => {
    const sealed = await vault.seal("text", "c");
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    const changed = Buffer.from(bytes);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const attempts = [
      vault.open(sealed, "other"),
      createVault(() => "another").open(sealed, "c"),
      vault.open(`v1.${changed.toString("base64url")}`, "c"),
      vault.open(`v1.${bytes.subarray(0, 20).toString("base64url")}`, "c"),
      vault.open(`v2.${bytes.toString("base64url")}`, "c"),
      vault.open("", "c"),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toThrow();
  });

  it("a vault reads its secrets again after a failed read", async () => {
    let isAway = true;
    const late = createVault(async () => {
      if (isAway) throw new Error("The disk is full");
      return "a secret";
    });
    await expect(late.seal("text", "c")).rejects.toThrow("The disk is full");
    isAway = false;
    expect(await vault.open(await late.seal("text", "c"), "c")).toBe("text");
  });

  it("an empty secret, whose key everyone can derive, encrypts nothing", async () => {
    await expect(createVault(() => "").seal("text", "c")).rejects.toThrow("empty");
    await expect(createVault(() => ["next", ""]).seal("text", "c")).rejects.toThrow("empty");
  });
});
