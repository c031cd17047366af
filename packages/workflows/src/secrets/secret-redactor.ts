import { exactNumberText } from "@rowhouse/json";
import { isJsonObject, setOwn } from "../base/json.ts";
import { redacted } from "./secret-text.ts";

/**
 * What cuts the values of secrets out of what another side sent: from texts, from the names and values of JSON, and from
 * numbers. A value is found as it is and in another case, with any of its characters written for a URL or for JSON, once or
 * twice, or for HTML, in UTF-16 or in Latin-1 (as headers are) or in what is left of it, as hexadecimal digits, and
 * within base64, such as that of a basic credential. What a server cuts apart or encrypts is not found.
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

/** Finds a value however each of its characters is written; what was UTF-16 has a NUL beside each. */
function writtenForm(value: string): RegExp {
  return new RegExp(Array.from(value, formsOf).join("\\0*"), "gi");
}

/** Its bytes as digits, with or without something between them. */
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

/** A pattern for everything that a character may be written as. */
function formsOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = shortEscapes[character];
  const entity = entities[character];
  const forms = [
    percentEncoded(Buffer.from(character)),
    ...(character === " " ? ["\\+", percentEncoded(Buffer.from("+"))] : []),
    Array.from({ length: character.length }, (_, unit) => jsonEscape(character, unit)).join(""),
    // JSON within JSON has more backslashes. No more than that: a run of them must not take long to look through.
    ...(short === undefined ? [] : [JSON.stringify(short).slice(1, -1), short].map(escapePattern)),
    ...(entity === undefined ? [] : [entity]),
    ...(code > 0x7f ? misread(character, code) : []),
    escapePattern(character),
  ];
  return `(?:${forms.join("|")}|&#0{0,6}${code};|&#x0{0,6}${code.toString(16)};)`;
}

/** Whether Latin-1 writes a text otherwise than UTF-8, and can. */
function isLatin1(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.some((code) => code > 0x7f) && codes.every((code) => code <= 0xff);
}

/** UTF-8 that was read as Latin-1; and Latin-1 in a URL, or read as UTF-8, which leaves U+FFFD. */
function misread(character: string, code: number): string[] {
  const asLatin1 = escapePattern(Buffer.from(character).toString("latin1"));
  return code > 0xff ? [asLatin1] : [asLatin1, percentEncoded([code]), "\ufffd"];
}

/** A URL within a URL has `%25` for each `%`. */
function percentEncoded(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => `%(?:25)*${hex(byte, 2)}`).join("");
}

function jsonEscape(text: string, unit: number): string {
  return `\\\\{1,2}u${hex(text.charCodeAt(unit), 4)}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

/** Finds a value inside a longer text that was encoded as a whole: it begins at any of the three places of a group. */
function base64Forms(bytes: Uint8Array): RegExp[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const bits = 8 * (before + bytes.length);
    // Letters at either end that hold bits of what stands around it.
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
