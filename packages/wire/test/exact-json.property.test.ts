import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { LosslessNumber, parse } from "lossless-json";
import { expect, test } from "vitest";
import { parseExactJson } from "../src/index.ts";

/** What `parseExactJson` returns, by lossless-json alone and without any judgement of the text as a whole. */
function byLosslessJson(text: string): unknown {
  return parse(text, undefined, {
    parseNumber: (digits) =>
      String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

const digits = (minLength: number, maxLength: number) =>
  fc.stringMatching(new RegExp(`^[0-9]{${minLength},${maxLength}}$`));
const whole = fc
  .tuple(fc.constantFrom("", "-"), fc.oneof(digits(1, 3), digits(14, 20)))
  .map(([sign, text]) => sign + (text.replace(/^0+(?=.)/, "") || "0"));
const number = fc.oneof(
  whole,
  fc.tuple(whole, digits(1, 20)).map(([text, fraction]) => `${text}.${fraction}`),
  fc
    .tuple(whole, fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), digits(1, 3))
    .map((parts) => parts.join("")),
  fc
    .tuple(whole, digits(1, 3), fc.constantFrom("e", "E+", "e-"), digits(1, 3))
    .map(([text, fraction, mark, power]) => `${text}.${fraction}${mark}${power}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
/** Texts that contain numbers, quotes, backslashes and punctuation, written with their own escapes. */
const string = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc
    .array(fc.oneof(number, fc.constantFrom(" ", ": ", ",", "[", "{", "\\", '"', "\n", "é", "😀")))
    .map((parts) => JSON.stringify(parts.join(""))),
  fc
    .array(fc.constantFrom('\\"', "\\\\", "\\u0022", "\\/", ":1.50", " 12.50"))
    .map((parts) => `"${parts.join("")}"`),
);
const space = fc.constantFrom("", "", " ", "\n\t", "\r\n ");
const { body } = fc.letrec<{ body: string }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(number, string, fc.constantFrom("true", "false", "null")),
    fc
      .tuple(space, fc.array(tie("body"), { maxLength: 4 }))
      .map(([gap, items]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
    fc
      .tuple(space, fc.array(fc.tuple(string, tie("body")), { maxLength: 4 }))
      .map(([gap, members]) => {
        const written = members.map(([key, value]) => `${key}${gap}:${gap}${value}`);
        return `{${gap}${written.join(`${gap},${gap}`)}${gap}}`;
      }),
  ),
}));

test("every body is read as lossless-json reads it, digit by digit", () => {
  fc.assert(
    fc.property(body, space, (text, gap) => {
      const sent = `${gap}${text}${gap}`;
      expect(parseExactJson(sent)).toStrictEqual(byLosslessJson(sent));
    }),
    { numRuns: generatedRuns(5000) },
  );
});

test("a text that a change made no JSON is refused, as lossless-json refuses it", () => {
  fc.assert(
    fc.property(
      body,
      fc.nat(),
      fc.constantFrom("", '"', "1", ".", "-", "e", ","),
      (text, at, put) => {
        const place = at % (text.length + 1);
        const sent = text.slice(0, place) + put + text.slice(place + 1);
        const outcome = (read: (text: string) => unknown) => {
          try {
            return { value: read(sent) };
          } catch (error) {
            return { refused: error instanceof SyntaxError };
          }
        };
        expect(outcome(parseExactJson)).toStrictEqual(outcome(byLosslessJson));
      },
    ),
    { numRuns: generatedRuns(5000) },
  );
});
