import fc from "fast-check";
import type { TypeName, Value } from "./model.ts";

interface TypeRules {
  readonly sql: string;
  /** Canonical texts; few, so that rows, filters and keys often have equal values. */
  readonly pool: readonly string[];
  /** Other spellings that a caller may send, with their canonical text. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** Texts that the type rejects. */
  readonly impossible?: readonly string[];
  readonly compare: (left: string, right: string) => number;
  readonly toJson: (text: string) => unknown;
}

const byInteger = (left: string, right: string): number => sign(BigInt(left) - BigInt(right));
const byCodePoint = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));
const asIs = (text: string): unknown => text;
const moods = ["sad", "ok", "happy"];

export const userIds = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

export const types: Readonly<Record<TypeName, TypeRules>> = {
  int: {
    sql: "int",
    pool: ["-2147483648", "-1", "0", "1", "2", "3", "4", "5", "6", "7", "2147483647"],
    spellings: { "+2": "2", "007": "7", "-0": "0" },
    impossible: ["x", "1.5", "2147483648", ""],
    compare: byInteger,
    toJson: Number,
  },
  bigint: {
    sql: "bigint",
    pool: ["-5", "0", "1", "2", "3", "4", "5", "9007199254740993", "9223372036854775807"],
    spellings: { "+1": "1" },
    impossible: ["9223372036854775808", "NaN"],
    compare: byInteger,
    toJson: asIs,
  },
  numeric: {
    sql: "numeric",
    pool: ["-1", "0", "0.000001", "1.5", "1.50", "2", "12345678901234567890.123456789", "NaN"],
    spellings: { "15e-1": "1.5", "+2.0": "2.0", ".5": "0.5" },
    impossible: ["abc", "1.2.3"],
    compare: compareNumerics,
    toJson: asIs,
  },
  text: {
    sql: "text",
    pool: [
      ..."|a|A|b|ab|aB%|%|_|a_b|\\|a\\b|'|\"|O'Neil|é|É|日本|😀x|a b|a,b|null|$USER.id|$5|{a}|[0]|&=+#|--|x".split(
        "|",
      ),
    ],
    compare: byCodePoint,
    toJson: asIs,
  },
  boolean: {
    sql: "boolean",
    pool: ["false", "true"],
    spellings: { t: "true", f: "false", "1": "true", "0": "false" },
    impossible: ["maybe", "2"],
    compare: byCodePoint,
    toJson: (text) => text === "true",
  },
  date: {
    sql: "date",
    pool: ["1999-12-31", "2000-02-29", "2024-03-31", "2050-01-01"],
    spellings: { "20000229": "2000-02-29" },
    impossible: ["2023-02-29", "nonsense"],
    compare: byCodePoint,
    toJson: asIs,
  },
  timestamptz: {
    sql: "timestamptz",
    pool: [
      "2000-01-01T00:00:00.000000Z",
      "2024-03-31T00:30:00.123456Z",
      "2024-03-31T01:30:00.500000Z",
      "2050-06-15T12:00:00.000000Z",
    ],
    spellings: {
      "2024-03-31T03:30:00.5+02:00": "2024-03-31T01:30:00.500000Z",
      "2000-01-01": "2000-01-01T00:00:00.000000Z",
      "1999-12-31 19:00:00-05": "2000-01-01T00:00:00.000000Z",
    },
    impossible: ["2024-13-01T00:00:00Z", "25 o'clock"],
    compare: byCodePoint,
    toJson: (text) => text.replace(/\.?0*Z$/, "+00:00"),
  },
  uuid: {
    sql: "uuid",
    pool: [...userIds, "aaaaaaaa-0000-4000-8000-000000000000"],
    spellings: {
      "AAAAAAAA-0000-4000-8000-000000000000": "aaaaaaaa-0000-4000-8000-000000000000",
      aaaaaaaa000040008000000000000000: "aaaaaaaa-0000-4000-8000-000000000000",
    },
    impossible: ["123", "zaaaaaaa-0000-4000-8000-000000000000"],
    compare: byCodePoint,
    toJson: asIs,
  },
  mood: {
    sql: "public.mood",
    pool: moods,
    impossible: ["angry", ""],
    compare: (left, right) => moods.indexOf(left) - moods.indexOf(right),
    toJson: asIs,
  },
  "text[]": {
    sql: "text[]",
    pool: ["[]", '["a"]', '["a","b"]', '["a","b,c"]', '["b",null]', '["{\\"é\\\\}"]'],
    compare: () => {
      throw new TypeError("Lists are only stored and returned");
    },
    toJson: (text) => JSON.parse(text) as unknown,
  },
  jsonb: {
    sql: "jsonb",
    pool: ["{}", "[]", "1", '"x"', "false", '{"a":{"b":[1,null,"é"]},"q\\"":-1.5}'],
    compare: () => {
      throw new TypeError("Documents are only stored and returned");
    },
    toJson: (text) => JSON.parse(text) as unknown,
  },
};

/** Types that can be compared with each other and with literals. */
export function isScalar(type: TypeName): boolean {
  return type !== "text[]" && type !== "jsonb";
}

/** Types that accept patterns. */
export function isPattern(type: TypeName): boolean {
  return type === "text" || type === "mood";
}

/** Generates a canonical value of the type. */
export function anyValue(type: TypeName): fc.Arbitrary<string> {
  const pool = fc.constantFrom(...types[type].pool);
  if (type !== "text") return pool;
  return fc.oneof({ weight: 9, arbitrary: pool }, fc.string({ unit: "grapheme-ascii" }));
}

/** Generates a literal of the type in a spelling that a caller may use. */
export function anyLiteral(type: TypeName): fc.Arbitrary<string> {
  const spellings = Object.keys(types[type].spellings ?? {});
  if (spellings.length === 0) return anyValue(type);
  return fc.oneof(
    { weight: 5, arbitrary: anyValue(type) },
    { weight: 1, arbitrary: fc.constantFrom(...spellings) },
  );
}

/** Returns the canonical text of a literal; undefined if the type rejects it. */
export function readLiteral(type: TypeName, text: string): string | undefined {
  const { spellings, impossible } = types[type];
  return impossible?.includes(text) === true ? undefined : (spellings?.[text] ?? text);
}

/** Null if either side is null, as in SQL. */
export function compareValues(type: TypeName, left: Value, right: Value): number | null {
  return left === null || right === null ? null : types[type].compare(left, right);
}

export function jsonOf(type: TypeName, value: Value): unknown {
  return value === null ? null : types[type].toJson(value);
}

/** Converts a value to an expected type: `$USER.id` in a text column. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function sqlOf(type: TypeName, value: Value): string {
  if (value === null) return "null";
  if (type !== "text[]") return `${quoteText(value)}::${types[type].sql}`;
  const items = (JSON.parse(value) as Value[]).map((item) =>
    item === null ? "null" : quoteText(item),
  );
  return `array[${items.join()}]::text[]`;
}

function sign(difference: bigint): number {
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/**
 * NaN equals itself and is greater than all other numbers: https://www.postgresql.org/docs/18/datatype-numeric.html
 */
function compareNumerics(left: string, right: string): number {
  if (left === "NaN" || right === "NaN") return Number(left === "NaN") - Number(right === "NaN");
  const scale = (text: string): bigint => {
    const [whole = "", fraction = ""] = text.replace("+", "").split(".");
    return BigInt(`${whole}${fraction.padEnd(30, "0")}`);
  };
  return sign(scale(left) - scale(right));
}
