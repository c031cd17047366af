import fc from "fast-check";
import { compareDocuments } from "./documents.ts";
import type { TypeName, Value } from "./model.ts";
import { compareRanges } from "./ranges.ts";

interface TypeRules {
  readonly sql: string;
  /** Canonical texts; few, so that rows, filters and keys often have equal values. */
  readonly pool: readonly string[];
  /** Whether a caller can compare with the canonical texts; if not, with the other spellings alone. */
  readonly spoken?: false;
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
    spellings: { t: "true", f: "false" },
    impossible: ["maybe", "2", "1", "yes"],
    compare: byCodePoint,
    toJson: (text) => text === "true",
  },
  date: {
    sql: "date",
    pool: ["1999-12-31", "2000-02-29", "2024-03-31", "2050-01-01"],
    impossible: ["2023-02-29", "nonsense", "20000229", "29.02.2000", "today"],
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
    spoken: false,
    spellings: {
      "{}": "[]",
      "{a}": '["a"]',
      '{"a",b}': '["a","b"]',
      '{a,"b,c"}': '["a","b,c"]',
      "{b,null}": '["b",null]',
      "{c}": '["c"]',
    },
    compare: compareLists,
    toJson: (text) => JSON.parse(text) as unknown,
  },
  jsonb: {
    sql: "jsonb",
    pool: [
      ...'{}|[]|1|"x"'.split("|"),
      '{"a":{"b":[1,null,"é"]},"q\\"":-1.5}',
      '{"a":5,"c":{"d":"x"}}',
      '{"a":10,"c":{"d":true},"q\\"":"a%"}',
      '{"a":"5","0":null}',
      '{"a":null,"c":{"d":2.25,"e":[]}}',
      '[{"a":1},"x",3]',
      '{"a":7,"0":1}',
      '{"a":"x","c":{"n":{"m":3}}}',
      '{"a":-1.5}',
      '{"a":false,"0":3}',
    ],
    compare: (left, right) => compareDocuments(JSON.parse(left), JSON.parse(right)),
    toJson: (text) => JSON.parse(text) as unknown,
  },
  words: {
    sql: "text",
    pool: ["sea", "sea land", "land sea", "Sea seal ship sea", "seal, land; ship sea!", "ship", ""],
    compare: byCodePoint,
    toJson: asIs,
  },
  int4range: {
    sql: "int4range",
    pool: ["empty", "[1,5)", "[5,9)", "[2,3)", "(,3)", "[4,)", "(,)"],
    spellings: { "[1,4]": "[1,5)", "(0,2]": "[1,3)", "[3,3)": "empty", "(,2]": "(,3)" },
    impossible: ["[5,1)", "1,2", ""],
    compare: compareRanges,
    toJson: asIs,
  },
  int4multirange: {
    sql: "int4multirange",
    pool: ["{}", "{[1,3)}", "{[1,3),[5,7)}", "{[3,5)}", "{(,2),[6,)}", "{[2,6)}"],
    spellings: { "{[1,2],[2,2]}": "{[1,3)}", "{[5,6],[1,2]}": "{[1,3),[5,7)}" },
    impossible: ["[1,2)", "{[5,1)}"],
    compare: compareRanges,
    toJson: asIs,
  },
};

/** As arrays: item by item, a null after every text; then the shorter one is less. */
function compareLists(left: string, right: string): number {
  const [one, two] = [left, right].map((text) => JSON.parse(text) as Value[]);
  for (const [at, item] of (one ?? []).entries()) {
    const other = two?.[at];
    if (other === undefined) return 1;
    if (item === null || other === null) {
      if (item !== other) return item === null ? 1 : -1;
    } else {
      const order = byCodePoint(item, other);
      if (order !== 0) return order;
    }
  }
  return (one?.length ?? 0) - (two?.length ?? 0);
}

/** Types that accept patterns. */
export function isPattern(type: TypeName): boolean {
  return type === "text" || type === "mood" || type === "words";
}

export function isRange(type: TypeName): boolean {
  return type === "int4range" || type === "int4multirange";
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
  if (types[type].spoken === false) return fc.constantFrom(...spellings);
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
  const length = Math.max(...[left, right].map((text) => text.split(".")[1]?.length ?? 0));
  const scale = (text: string): bigint => {
    const [whole = "", fraction = ""] = text.replace("+", "").split(".");
    return BigInt(`${whole}${fraction.padEnd(length, "0")}`);
  };
  return sign(scale(left) - scale(right));
}
