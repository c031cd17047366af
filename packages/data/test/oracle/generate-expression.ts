import fc from "fast-check";
import { keysInside } from "./generate-own-condition.ts";
import { isToOne, type Vocabulary } from "./generate-read.ts";
import type { Expression } from "./model.ts";
import { isNumeric } from "./outputs.ts";

/** Generates an expression over the numbers of a row and of the rows that it refers to. */
export function anyExpression(words: Vocabulary, depth = 2): fc.Arbitrary<Expression> {
  const number = fc
    .constantFrom("0", "1", "2", "0.5", "10", "3.00")
    .map((text): Expression => ({ kind: "NUMBER", text }));
  const field = words.anyReached(isToOne).chain((reached) =>
    fc
      .tuple(
        words.anyColumn(reached, ({ type }) => isNumeric(type) || type === "jsonb"),
        fc.constantFrom(...keysInside),
      )
      .map(([{ name, type }, inside]): Expression => {
        const path = { steps: reached.steps, name };
        return { kind: "FIELD", path: type === "jsonb" ? { ...path, inside } : path };
      }),
  );
  const leaf = fc.oneof({ weight: 1, arbitrary: number }, { weight: 3, arbitrary: field });
  if (depth === 0) return leaf;
  const inner = anyExpression(words, depth - 1);
  const operation = fc
    .tuple(fc.constantFrom("+" as const, "-" as const, "*" as const, "/" as const), inner, inner)
    .map(([sign, left, right]): Expression => ({ kind: "OPERATION", sign, left, right }));
  return fc.oneof({ weight: 1, arbitrary: leaf }, { weight: 3, arbitrary: operation });
}

/** The functions of an expression. */
export const sums = ["sum", "avg", "min", "max"] as const;
