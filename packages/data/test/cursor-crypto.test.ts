import { createCipheriv, createHmac, hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deriveKeys, sealCursor, unsealCursor } from "../src/execute/cursor-crypto.ts";

/** The same with Node's own objects. */
function sealByNode(context: string, body: string, key: string): Buffer {
  const signing = hash("sha256", key, "buffer");
  const encryption = createHmac("sha256", signing).update("cursor encryption").digest();
  const mac = createHmac("sha256", signing).update(`${context}\0${body}`).digest().subarray(0, 16);
  const cipher = createCipheriv("aes-256-ctr", encryption, mac);
  return Buffer.concat([mac, cipher.update(body, "utf8"), cipher.final()]);
}

describe("the cryptography of cursors", () => {
  it("is HMAC-SHA-256 and AES-256 in counter mode", () => {
    const keys = deriveKeys("a key");
    for (let length = 0; length < 700; length += 1) {
      const body = "é".repeat(length);
      const context = `query ${length * 7919}`;
      expect(sealCursor(context, body, keys)).toEqual(sealByNode(context, body, "a key"));
    }
  });

  it("carries through the counter", () => {
    // About one in 256 vectors ends with a byte that overflows within two blocks.
    const keys = deriveKeys("another key");
    for (let number = 0; number < 3000; number += 1) {
      const body = `["${number}","a text of more than two blocks, so that the counter rises"]`;
      expect(sealCursor("q", body, keys)).toEqual(sealByNode("q", body, "another key"));
    }
  });

  it("returns the body of its own context and key alone", () => {
    const keys = deriveKeys("a key");
    const sealed = sealCursor("query", '["1"]', keys);
    expect(unsealCursor("query", sealed, keys)?.toString()).toBe('["1"]');
    expect(unsealCursor("other", sealed, keys)).toBeUndefined();
    expect(unsealCursor("query", sealed, deriveKeys("other"))).toBeUndefined();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(unsealCursor("query", changed, keys)).toBeUndefined();
      expect(unsealCursor("query", sealed.subarray(0, at), keys)).toBeUndefined();
    }
  });
});
