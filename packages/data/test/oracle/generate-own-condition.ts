import fc from "fast-check";
import type { Condition, Operand, Path, Search, TypeName } from "./model.ts";
import { anyLiteral, isRange } from "./values.ts";

type Own = fc.Arbitrary<Condition>;
type Extra = Partial<Pick<Condition, "bound" | "keys" | "search">>;

const literal = (text: string): Operand => ({ kind: "LITERAL", text });
const comparisons = ["_eq", "_neq", "_lt", "_lte", "_gt", "_gte"];

/** Generates conditions of operators that a type has beside the comparisons; undefined for a type without. */
export function anyOwnCondition(path: Path, type: TypeName): Own | undefined {
  const of = (operator: string, texts: readonly string[], extra: Extra = {}): Condition => ({
    kind: "CONDITION",
    path,
    operator,
    operands: texts.map(literal),
    ...extra,
  });
  if (type === "text[]") return anyElements(of);
  if (type === "jsonb") return anyInside(of);
  if (type === "words") return anySearched(path);
  return isRange(type) ? anyRange(of, type) : undefined;
}

type Of = (operator: string, texts: readonly string[], extra?: Extra) => Condition;

function anyElements(of: Of): Own {
  const item = fc.constantFrom("a", "b", "b,c", "x");
  return fc.oneof(
    item.map((text) => of("_has", [text])),
    fc
      .tuple(fc.constantFrom("_has_all", "_has_any", "_has_only"), fc.array(item, { maxLength: 3 }))
      .map(([operator, texts]) => of(operator, texts)),
  );
}

function anyRange(of: Of, type: TypeName): Own {
  const number = fc.integer({ min: 0, max: 9 }).map(String);
  const value = number.map((text) => of("_contains_value", [text]));
  const range = fc
    .tuple(
      fc.constantFrom("_contains_range", "_contained_by", "_overlaps", "_adjacent"),
      anyLiteral(type),
    )
    .map(([operator, text]) => of(operator, [text]));
  const bound = fc
    .tuple(
      fc.constantFrom("lower" as const, "upper" as const),
      fc.oneof(
        fc.tuple(fc.constantFrom(...comparisons), fc.tuple(number)),
        fc.tuple(fc.constant("_in"), fc.array(number, { maxLength: 3 })),
        fc.tuple(fc.constant("_null"), fc.constantFrom(["true"], ["false"])),
      ),
    )
    .map(([its, [operator, texts]]) => of(operator, texts, { bound: its }));
  return fc.oneof(value, { weight: 2, arbitrary: range }, bound);
}

/** Keys of documents in the world, of none of them, and one that is the beginning of another. */
export const keysInside = [
  ["a"],
  ["a", "b"],
  ["a", "b", "0"],
  ['q"'],
  ["c", "d"],
  ["c"],
  ["0"],
] as const;

function anyInside(of: Of): Own {
  const json = fc.constantFrom("5", "10", "-1.5", "2.25", '"5"', '"x"', '"a%"', "true", '"é"', "1");
  const keys = fc.constantFrom(...keysInside);
  const inside = fc
    .tuple(
      keys,
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.tuple(fc.constantFrom(...comparisons), fc.tuple(json)),
        },
        fc.tuple(fc.constantFrom("_in", "_nin"), fc.array(json, { maxLength: 3 })),
        fc.tuple(fc.constantFrom("_between", "_nbetween"), fc.tuple(json, json)),
        fc.tuple(fc.constantFrom("_null", "_nnull"), fc.constantFrom(["true"], ["false"])),
        fc.tuple(
          fc.constantFrom("_like", "_ncontains", "_istarts_with"),
          fc.constantFrom(['"x"'], ['"%5%"'], ['"a"'], ['"{"']),
        ),
      ),
    )
    .map(([its, [operator, texts]]) => of(operator, texts, { keys: its }));
  const document = fc.constantFrom(
    ...["{}", "[]", "1", '"x"', '{"a":5}', '{"a":{"b":[1]}}', '{"c":{"d":"x"}}', "[2]"],
    ...['[{"a":1}]', '["x",3]', '{"a":null}'],
  );
  const key = fc.constantFrom("a", 'q"', "x", "0", "nope");
  return fc.oneof(
    { weight: 4, arbitrary: inside },
    document.map((text) => of("_json_contains", [text])),
    key.map((text) => of("_has_key", [text])),
  );
}

const searched = [
  ...'sea|land|Sea ship|sea land|se|se la|"sea land"|sea or ship|sea -land|-sea|seal or "land ship"'.split(
    "|",
  ),
  ...'ship or land -seal|sea or|-"sea land" sea|||nothing'.split("|"),
];

/** Generates a full-text search of a text that consists of words. */
export function anySearched(path: Path): Own {
  const search: fc.Arbitrary<Search> = fc.record({
    config: fc.constantFrom(null, "simple", "english"),
    mode: fc.constantFrom("web" as const, "plain" as const, "phrase" as const, "prefix" as const),
  });
  return fc.tuple(fc.constantFrom(...searched), search).map(([text, its]) => ({
    ...{ kind: "CONDITION", path, operator: "_search" },
    ...{ operands: [literal(text)], search: its },
  }));
}
