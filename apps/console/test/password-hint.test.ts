import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { checkPassword } from "@rowhouse/accounts";
import { expect, it } from "vitest";
import { passwordHint } from "../src/shell/password-hint.ts";

const list = createRequire(import.meta.url).resolve("@rowhouse/accounts/leaked-passwords.bin");
const digests = readFile(list);

const about = ["dana.scully@example.com", "Dana Scully"];
const passwords = [
  "",
  "short",
  "eleven char",
  "twelve chars",
  "x".repeat(256),
  "x".repeat(257),
  "🦉".repeat(12),
  "🦉".repeat(11),
  "password123456",
  "PASSWORD123456",
  "contraseña123",
  "rowhouserowhouse",
  "Rowhouse2026!",
  "Dana.Scully.2026",
  "dana-scully-and-much-more",
  "qwertyuiop12",
  // On the long list only.
  "123qweasdzxc",
  "1q2w3e4r5t6y7u8i9o0p",
  "unbelievable1",
  "violet anchors drift slowly",
];

it("the hint rejects a password exactly if the service rejects it", async () => {
  for (const password of passwords) {
    const hint = await passwordHint(password, about, () => digests);
    const faults = checkPassword(password, "/password", about);
    expect([password, hint !== undefined]).toEqual([password, faults.length > 0]);
  }
  const reasons = await Promise.all(
    passwords.map((password) => passwordHint(password, about, () => digests)),
  );
  expect(new Set(reasons)).toEqual(new Set(["LENGTH", "COMMON", "OWN_WORDS", undefined]));
});
