import { generatedRuns } from "@rowhouse/testing";
import { parseExactJson } from "@rowhouse/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileCondition } from "../src/compile/condition.ts";

const holds = (expression: string, body: unknown = {}) =>
  compileCondition(expression, "STEP").evaluate({
    start: { data: { body } },
    steps: {},
    vars: {},
    errors: {},
  });

/** An exact number of CEL: `top / bottom` with a positive `bottom`. An int has the bottom 1. */
interface Exact {
  readonly kind: "int" | "double";
  readonly top: bigint;
  readonly bottom: bigint;
}

/** The expression fails, by this message. */
class Failure extends Error {}
/** A double cannot represent the result, so a rational says nothing about it. */
class Inexact extends Error {}

const int = (top: bigint): Exact => {
  if (BigInt.asIntN(64, top) !== top) throw new Failure("overflow");
  return { kind: "int", top, bottom: 1n };
};

function double(top: bigint, bottom: bigint): Exact {
  const sign = bottom < 0n ? -1n : 1n;
  let [a, b] = [top < 0n ? -top : top, bottom * sign];
  while (b !== 0n) [a, b] = [b, a % b];
  const divisor = a === 0n ? sign : a * sign;
  const exact = { kind: "double", top: top / divisor, bottom: bottom / divisor } as const;
  const isPower = (exact.bottom & (exact.bottom - 1n)) === 0n;
  const magnitude = exact.top < 0n ? -exact.top : exact.top;
  if (!isPower || exact.bottom > 1n << 60n || magnitude > 1n << 53n) throw new Inexact();
  return exact;
}

const order = (a: Exact, b: Exact) => a.top * b.bottom - b.top * a.bottom;

function calculate(operator: string, a: Exact, b: Exact): Exact {
  const isInt = a.kind === "int" && b.kind === "int";
  const whole = (value: bigint) => (isInt ? int(value) : undefined);
  const left = a.top * b.bottom;
  const right = b.top * a.bottom;
  const bottom = a.bottom * b.bottom;
  if (!isInt) for (const { top, bottom: below } of [a, b]) double(top, below);
  switch (operator) {
    case "+":
      return whole(left + right) ?? double(left + right, bottom);
    case "-":
      return whole(left - right) ?? double(left - right, bottom);
    case "*":
      return whole(a.top * b.top) ?? double(a.top * b.top, bottom);
    case "/":
      if (right === 0n && isInt) throw new Failure("division by zero");
      if (right === 0n) throw new Inexact();
      return whole(left / right) ?? double(left, right);
    default:
      if (right === 0n) throw new Failure("modulo by zero");
      return whole(left % right) ?? double(left % right, bottom);
  }
}

/** An expression with a way to compute its value. */
interface Term {
  readonly text: string;
  readonly value: () => Exact;
}

/** The values of a body that the terms of one expression read, as JSON texts. */
type Body = string[];
type Built = (body: Body) => Term;

const decimal = ({ kind, top, bottom }: Exact): string => {
  const text = String(Number(top) / Number(bottom));
  return kind === "double" && !/[.e]/.test(text) ? `${text}.0` : text;
};

const number: fc.Arbitrary<Exact> = fc.oneof(
  fc.integer({ min: -9, max: 9 }).map((value) => int(BigInt(value))),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(int),
  fc.integer({ min: -40, max: 40 }).map((value) => double(BigInt(value), 4n)),
);

const literal = (value: Exact) => (value.kind === "int" ? `${value.top}` : decimal(value));

const leaf: fc.Arbitrary<Built> = fc.oneof(
  number.map((value) => () => ({ text: `(${literal(value)})`, value: () => value })),
  number.map((value) => (body: Body) => {
    body.push(literal(value));
    return { text: `start.data.body[${body.length - 1}]`, value: () => value };
  }),
  fc.nat({ max: 3 }).map((size) => () => ({
    text: `size([${Array.from({ length: size }, () => "0").join()}])`,
    value: () => int(BigInt(size)),
  })),
);

const { term } = fc.letrec<{ term: Built }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc
      .tuple(fc.constantFrom("+", "-", "*", "/", "%"), tie("term"), tie("term"))
      .map(([operator, left, right]) => (body: Body) => {
        const [a, b] = [left(body), right(body)];
        return {
          text: `(${a.text} ${operator} ${b.text})`,
          value: () => calculate(operator, a.value(), b.value()),
        };
      }),
    tie("term").map((of) => (body: Body) => {
      const { text, value } = of(body);
      return { text: `(-${text})`, value: () => ({ ...value(), top: -value().top }) };
    }),
    tie("term").map((of) => (body: Body) => {
      const { text, value } = of(body);
      return { text: `double(${text})`, value: () => double(value().top, value().bottom) };
    }),
    fc
      .tuple(fc.boolean(), tie("term"), tie("term"))
      .map(([chosen, left, right]) => (body: Body) => {
        const [a, b] = [left(body), right(body)];
        return { text: `(${chosen} ? ${a.text} : ${b.text})`, value: chosen ? a.value : b.value };
      }),
    tie("term").map((of) => (body: Body) => {
      const { text, value } = of(body);
      return { text: `[${text}].map(x, x)[0]`, value };
    }),
  ),
}));

type Comparison = readonly [name: string, holds: (sign: bigint) => boolean];
type Relation = readonly [
  write: (a: string, b: string) => string,
  holds: (sign: bigint) => boolean,
];

const comparisons: readonly Comparison[] = [
  ["==", (sign) => sign === 0n],
  ["!=", (sign) => sign !== 0n],
  ["<", (sign) => sign < 0n],
  ["<=", (sign) => sign <= 0n],
  [">", (sign) => sign > 0n],
  [">=", (sign) => sign >= 0n],
];
const relations: readonly Relation[] = [
  ...comparisons.map(([name, relation]): Relation => [(a, b) => `${a} ${name} ${b}`, relation]),
  [(a, b) => `${a} in [${b}]`, (sign) => sign === 0n],
  [(a, b) => `${a} in ['a', ${b}]`, (sign) => sign === 0n],
  [(a, b) => `[${a}] == [${b}]`, (sign) => sign === 0n],
  [(a, b) => `[[${a}]] != [[${b}]]`, (sign) => sign !== 0n],
  [(a, b) => `{'k': ${a}} == {'k': ${b}}`, (sign) => sign === 0n],
  [(a, b) => `${a} in {${b}: true}`, (sign) => sign === 0n],
  [(a, b) => `{${b}: true} == {${a}: true}`, (sign) => sign === 0n],
  [(a, b) => `[${b}].exists(x, x == ${a})`, (sign) => sign === 0n],
  [(a, b) => `{${b}: true}.exists(x, x == ${a})`, (sign) => sign === 0n],
];

function outcome(evaluate: () => boolean): boolean | string {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof Inexact) throw error;
    return /overflow|by zero/.exec(String(error))?.[0] ?? String(error);
  }
}

describe("the numbers of a condition", () => {
  it("each operator agrees with exact rationals, in both orders, over literals and over values of a run", () => {
    let compared = 0;
    fc.assert(
      fc.property(term, term, fc.constantFrom(...relations), (left, right, [write, relation]) => {
        const body: Body = [];
        const [a, b] = [left(body), right(body)];
        // An equal number of the other kind beside each pair: two generated numbers are rarely equal.
        const same: Term = {
          text: `(${a.text} * 1.0)`,
          value: () => calculate("*", a.value(), double(1n, 1n)),
        };
        const json = parseExactJson(`[${body.join()}]`);
        for (const [x, y] of [
          [a, b],
          [b, a],
          [a, same],
          [same, a],
        ] as const) {
          let expected: boolean | string;
          try {
            expected = outcome(() => relation(order(x.value(), y.value())));
          } catch (error) {
            if (error instanceof Inexact) continue;
            throw error;
          }
          compared += 1;
          const expression = write(x.text, y.text);
          expect([expression, outcome(() => holds(expression, json))]).toEqual([
            expression,
            expected,
          ]);
        }
      }),
      { numRuns: generatedRuns(1000) },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it.each([
    "size(start.data.body) * 1.5 == 3",
    "3 == size(start.data.body) * 1.5",
    "2 / 2.0 == 1",
    "1 == 1.0 && !(1 != 1.0)",
    "1 in [1.0] && 1.0 in [1]",
    "double('7') == 7 && 7 == double('7')",
    "(size(start.data.body) > 1 ? 1 : 1.5) == 1.0",
    "[1, 2].map(x, x * 1.5) == [1.5, 3]",
    "[1] + [2.0] == [1.0, 2]",
    "optional.of(1).orValue(2.5) == 1.0",
    "start.data.body[1.0] == 2 && [1, 2][0.0] == 1",
    "{1: 'a'}[1.0] == 'a' && {1.0: 'a'}[1] == 'a' && {1u: 'a'}[1] == 'a'",
    "{1: 'a'}.all(k, k == 1.0) && {'constructor': 1}.constructor == 1",
    "1u == 1 && 1u == 1.0 && 1u in [1] && [1u] == [1.0] && 1u < 1.5",
    "9007199254740993 != 9007199254740992.0",
    "5.5 % 2 == 1.5 && -7 / 2 == -3 && -7 % 2 == -1",
  ])("JSON has one kind of number: %s", (expression) => {
    expect(holds(expression, [1, 2])).toBe(true);
  });

  it("an integer beyond 53 bits is exact in each spelling of JSON", () => {
    const body = parseExactJson("[9007199254740993, 9007199254740993.0]");
    expect(holds("start.data.body[0] == start.data.body[1]", body)).toBe(true);
    expect(holds("start.data.body[1] == 9007199254740992", body)).toBe(false);
    expect(holds("b'[9007199254740993]'.json()[0] == start.data.body[0]", body)).toBe(true);
    expect(holds("b'[9007199254740993, 3]'.json()[1] / 2 == 1", body)).toBe(true);
  });

  it.each([
    ["9223372036854775807 + 1 > 0", "overflow"],
    ["-9223372036854775807 - 2 < 0", "overflow"],
    ["(-9223372036854775807 - 1) / -1 > 0", "overflow"],
    ["1 / 0 == 1", "division by zero"],
    ["1.5 % 0 == 1", "modulo by zero"],
    ["1 % 0.0 == 1", "modulo by zero"],
    ["int('') == 0", "cannot convert to int"],
    ["int('0b11') == 3", "cannot convert to int"],
    ["int('0X1F') == 31", "cannot convert to int"],
    ["uint('') == 0", "cannot convert to uint"],
    ["double('0x10') == 16", "cannot convert to double"],
    ["double('1_0') == 10", "cannot convert to double"],
  ])("a number that does not exist is a fault: %s", (expression, message) => {
    expect(() => holds(expression)).toThrow(message);
  });

  it("numbers are compared with nothing else", () => {
    expect(() => holds("1 == '1'")).toThrow("no such overload");
    expect(() => holds("1.0 in ['1']")).toThrow("no such overload");
    expect(() => holds("[1] == ['1']")).toThrow("no such overload");
    expect(holds("start.data.body[0] == '1'", [1])).toBe(false);
  });
});

describe("the times of a condition", () => {
  it.each([
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-04-31T00:00:00+02:00",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T12:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00:00+0100",
    "2026-01-01T00:00:00.000",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.1234567890Z",
    "January 1, 2026 00:00:00 GMT",
    "+02026-01-01T00:00:00Z",
    "0000-12-31T23:59:59Z",
    "9999-12-31T23:59:59-01:00",
  ])("a moment that does not exist is a fault, and no other moment: %s", (text) => {
    expect(() => holds("timestamp(start.data.body) == timestamp(start.data.body)", text)).toThrow(
      /timestamp/,
    );
  });

  it.each([
    "timestamp('2024-02-29T23:30:00-01:00') == timestamp('2024-03-01T00:30:00Z')",
    "timestamp('2026-01-01T00:00:00.123456+00:00') > timestamp('2026-01-01T00:00:00.122Z')",
    "timestamp('0001-01-01T00:00:00Z') < timestamp('9999-12-31T23:59:59.999Z')",
    "timestamp('2026-01-01T00:00:00Z') - timestamp('2026-01-01T00:00:00.3Z') == duration('-300ms')",
    "duration('-0.5s') + duration('0.2s') == duration('-0.3s')",
    "duration('0.2s') - duration('0.5s') == duration('-300ms')",
    "duration('1000000000s') < duration('1000000000s1ns')",
    "timestamp('2026-01-01T00:00:00Z') - duration('.5s') == timestamp('2025-12-31T23:59:59.5Z')",
  ])("%s", (expression) => {
    expect(holds(expression)).toBe(true);
  });

  it.each([
    "duration('s') == duration('0s')",
    "duration('.s') == duration('0s')",
    "duration('') == duration('0s')",
    "duration('1') == duration('1s')",
    "duration('1d') == duration('24h')",
    "duration('99999999999h') > duration('0s')",
    "timestamp('9999-12-31T00:00:00Z') + duration('24h') > timestamp(0)",
    "timestamp('0001-01-01T00:00:00Z') - duration('1s') < timestamp(0)",
    "timestamp(253402300800) > timestamp(0)",
  ])("a length or a sum that does not exist is a fault: %s", (expression) => {
    expect(() => holds(expression)).toThrow(/Invalid duration|out of range/);
  });
});
