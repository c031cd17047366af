import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactorOf } from "../src/secrets/secret-redactor.ts";

const secret = 'k3y/with "every" <kind> & \\of+char=ä\u{1f511}';
const redact = redactorOf([secret]);
const url = new URLSearchParams({ q: secret }).toString();
const json = JSON.stringify(secret).slice(1, -1);
const ascii = Array.from(secret, (one) => `&#${one.codePointAt(0)};`).join("");

describe("a secret in a response", () => {
  it.each([
    ["as it is", `a ${secret} b`],
    ["in another letter case", secret.toUpperCase()],
    ["in a query", url],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded in lower case", encodeURIComponent(secret).toLowerCase()],
    ["in JSON", json],
    ["in JSON with escaped slashes", json.replaceAll("/", "\\/")],
    [
      "in ASCII-only JSON",
      json.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ],
    ["in HTML", secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
    ["as numeric HTML entities", ascii],
    ["in UTF-8 that was decoded as Latin-1", Buffer.from(secret).toString("latin1")],
    ["in a URL inside a URL", encodeURIComponent(url)],
    ["in JSON inside JSON", JSON.stringify(JSON.stringify({ a: secret }))],
    ["as hexadecimal digits", Buffer.from(secret).toString("hex")],
    ["as bytes with colons", Buffer.from(secret).toString("hex").match(/../g)?.join(":") ?? ""],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 of a credential", Buffer.from(`user:${secret}`).toString("base64")],
    ["in base64 of a longer text", Buffer.from(`ab${secret}cd`).toString("base64url")],
  ])("a value %s is removed", (_how, text) => {
    const left = String(redact(`<<${text}>>`));
    expect(left).toContain("[redacted]");
    expect(left.length).toBeLessThan(30);
    expect(left).not.toMatch(/k3y|every|azN5/i);
  });

  it("a value in UTF-16 that was decoded as UTF-8 is removed", () => {
    const text = Buffer.from("<k3y/with more>", "utf16le").toString();
    expect(redactorOf(["k3y/with more"])(text)).toBe("<\0[redacted]\0>\0");
  });

  it("the search takes linear time for any response", () => {
    const find = redactorOf(['\\"ab"%c d&e']);
    for (const one of ["\\", "%", "%25", "\\u", "&#0", '\\"', "\0", "\\\0", "00", "5c 5c:"]) {
      const text = one.repeat(200_000);
      expect(find(text)).toBe(text);
    }
  });

  it.each([
    ["as a header", "ä"],
    ["decoded as UTF-8", "\ufffd"],
    ["in a URL", "%E4"],
  ])("a value in Latin-1, %s, is removed", (_how, letter) => {
    const find = redactorOf(["k3y-with-ä-in-it"]);
    expect(find(`<k3y-with-${letter}-in-it>`)).toBe("<[redacted]>");
    const pair = Buffer.from("me:k3y-with-ä-in-it", "latin1").toString("base64");
    expect(find(pair)).toBe("bWU6[redacted]==");
  });

  it("a value is removed from names, items and numbers, and the rest keeps its type and digits", () => {
    const number = redactorOf(["1234567890123456789"]);
    const text =
      '{"a":[1.50,"x"],"n":1234567890123456789,"m":[{"id-1234567890123456789":null}],"t":true}';
    expect(writeExactJson(number(parseExactJson(text)))).toBe(
      '{"a":[1.50,"x"],"n":"[redacted]","m":[{"id-[redacted]":null}],"t":true}',
    );
    expect(redactorOf(["12345678"])({ n: 12345678, m: 1234567 })).toEqual({
      n: "[redacted]",
      m: 1234567,
    });
  });

  it("a value is removed as a whole if another secret is part of it", () => {
    expect(redactorOf(["12345678", "12345678-long"])("x 12345678-long y 12345678")).toBe(
      "x [redacted] y [redacted]",
    );
  });

  it("a response without secrets is unchanged", () => {
    const value = { a: [1, "b"] };
    expect(redactorOf([])(value)).toBe(value);
  });

  it("a value with any characters is removed", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 60, unit: "grapheme" }),
        fc.string(),
        (value, around) => {
          const find = redactorOf([value]);
          for (const written of [
            value,
            JSON.stringify(value).slice(1, -1),
            new URLSearchParams({ q: value }).toString().slice(2),
            Buffer.from(around + value + around).toString("base64"),
          ]) {
            expect(find(written)).toContain("[redacted]");
          }
        },
      ),
    );
  });
});
