import { exactNumberText } from "@rowhouse/wire";
import { isJsonObject, setOwn } from "../base/json.ts";
import { redacted } from "./secret-text.ts";

/**
 * Returns a function that removes the values of secrets from a response: from texts, from names and values of JSON,
 * and from numbers. It finds a value in any letter case, with any of its characters escaped for URLs, JSON (once or
 * twice) or HTML, in UTF-16, in Latin-1 (the encoding of headers) or in text that was decoded with the wrong one of
 * the two, as hexadecimal digits, and inside base64, such as a basic credential. It does not find a value that a
 * server splits or encrypts.
 *
 * @example redactorOf(["s3cret/key"])({ echo: "key=s3cret%2Fkey" }) // { echo: "key=[redacted]" }
 */
export function redactorOf(values: Iterable<string>): (value: unknown) => unknown {
  const patterns = [...new Set(values)]
    .toSorted((one, other) => other.length - one.length)
    .flatMap((value) => [
      writtenForm(value),
      hexForm(Buffer.from(value)),
      ...base64Forms(Buffer.from(value)),
      ...(isLatin1(value) ? base64Forms(Buffer.from(value, "latin1")) : []),
    ]);
  const redactText = (text: string): string =>
    patterns.reduce((rest, pattern) => rest.replace(pattern, redacted), text);
  const redact = (value: unknown): unknown => {
    if (typeof value === "string") return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (isJsonObject(value)) {
      const result: Record<string, unknown> = {};
      for (const [key, item] of Object.entries(value))
        setOwn(result, redactText(key), redact(item));
      return result;
    }
    const digits = typeof value === "number" ? String(value) : exactNumberText(value);
    if (digits === undefined) return value;
    const left = redactText(digits);
    return left === digits ? value : left;
  };
  return patterns.length === 0 ? (value) => value : redact;
}

/**
 * Returns a pattern that matches a value in every encoding of its characters. In UTF-16, a NUL stands beside each
 * character.
 */
function writtenForm(value: string): RegExp {
  return new RegExp(Array.from(value, formsOf).join("\\0*"), "gi");
}

/** Returns a pattern that matches the bytes as hexadecimal digits, with or without separators. */
function hexForm(bytes: Uint8Array): RegExp {
  return new RegExp(Array.from(bytes, (byte) => hex(byte, 2)).join("[\\s:-]?"), "gi");
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Returns a pattern for every way to write a character. */
function formsOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = shortEscapes[character];
  const entity = entities[character];
  const forms = [
    percentEncoded(Buffer.from(character)),
    ...(character === " " ? ["\\+", percentEncoded(Buffer.from("+"))] : []),
    Array.from({ length: character.length }, (_, unit) => jsonEscape(character, unit)).join(""),
    // JSON inside JSON doubles the backslashes. Deeper nesting is not matched, so that a long run of backslashes stays
    // cheap to search.
    ...(short === undefined ? [] : [JSON.stringify(short).slice(1, -1), short].map(escapePattern)),
    ...(entity === undefined ? [] : [entity]),
    ...(code > 0x7f ? misread(character, code) : []),
    escapePattern(character),
  ];
  return `(?:${forms.join("|")}|&#0{0,6}${code};|&#x0{0,6}${code.toString(16)};)`;
}

/** Returns whether a text can be encoded in Latin-1 and its bytes differ from UTF-8. */
function isLatin1(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.some((code) => code > 0x7f) && codes.every((code) => code <= 0xff);
}

/**
 * Returns patterns for UTF-8 that was decoded as Latin-1, Latin-1 in a URL, and Latin-1 that was decoded as UTF-8
 * (U+FFFD).
 */
function misread(character: string, code: number): string[] {
  const asLatin1 = escapePattern(Buffer.from(character).toString("latin1"));
  return code > 0xff ? [asLatin1] : [asLatin1, percentEncoded([code]), "\ufffd"];
}

/** A URL inside a URL has `%25` for each `%`. */
function percentEncoded(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => `%(?:25)*${hex(byte, 2)}`).join("");
}

function jsonEscape(text: string, unit: number): string {
  return `\\\\{1,2}u${hex(text.charCodeAt(unit), 4)}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

/**
 * Returns patterns that match a value inside a longer text that was encoded as a whole. The value can begin at any of
 * the three byte offsets of a base64 group.
 */
function base64Forms(bytes: Uint8Array): RegExp[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const bits = 8 * (before + bytes.length);
    // The letters at both ends also hold bits of neighboring bytes.
    const from = Math.ceil((8 * before) / 6);
    const inner = encoded.slice(from, Math.floor(bits / 6));
    const edge = "[\\w+/-]";
    const letters = Array.from(inner, (letter) => {
      if (letter === "+") return "(?:[+-]|%2[bB]|\\\\u002[bB])";
      return letter === "/" ? "(?:\\\\?/|_|%2[fF])" : letter;
    });
    return new RegExp(
      `${before === 0 ? "" : edge}${letters.join("")}${bits % 6 === 0 ? "" : edge}`,
      "g",
    );
  });
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
