import { AppError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { expect, it } from "vitest";
import { parseIdempotencyKey, requestFingerprintOf, requireRepetition } from "../src/index.ts";

function codeOf(work: () => unknown): string {
  try {
    work();
    return "NONE";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

it("a key has 1 to 255 printable characters without spaces, and a request without one has null", () => {
  expect(parseIdempotencyKey(null)).toBeNull();
  for (const key of ["a", "!~".repeat(127)]) expect(parseIdempotencyKey(key)).toBe(key);
  for (const key of ["", " ", "a b", "ä", "a\n", "a".repeat(256)]) {
    expect(codeOf(() => parseIdempotencyKey(key))).toBe("QUERY_INVALID");
  }
});

it("fingerprints are those of earlier versions, whose keys are valid for a day", () => {
  const body = new TextEncoder().encode('{"a":1.50}');
  expect(requestFingerprintOf(["POST", 'a=ä%20"'], body)).toBe(
    "9ecbce0694284d90e98ab14dc6b12c8251a3a2b146671b9d3f70c7e29d24a3d7",
  );
  const odd = JSON.stringify({ q: '\u2028x\ud800"\u0001' });
  expect(requestFingerprintOf(["GET", odd])).toBe(
    "021728c8391d01d6a68a4976972cf3cca205934773ba5c350d101a772fdcdef7",
  );
});

it("a fingerprint depends on each digit of a number, on each part and on the body", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const fingerprints = [
    requestFingerprintOf(["POST", parseExactJson("1.0")]),
    requestFingerprintOf(["POST", parseExactJson("1.00")]),
    requestFingerprintOf(["POST", parseExactJson("1")]),
    requestFingerprintOf(["POST", undefined]),
    requestFingerprintOf(["POST"], bytes("1")),
    requestFingerprintOf(["POST"], bytes("2")),
  ];
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
});

it("a key of another request, or of none, is a conflict", () => {
  const request = { key: "k", fingerprint: "one" };
  expect(codeOf(() => requireRepetition("one", request))).toBe("NONE");
  expect(codeOf(() => requireRepetition("two", request))).toBe("IDEMPOTENCY_CONFLICT");
  expect(codeOf(() => requireRepetition(undefined, request))).toBe("IDEMPOTENCY_CONFLICT");
});
