import { readPath } from "@rowhouse/access";

/** An expression over the numbers of a row: `quantity*unit_price*(1-discount)`. */
export type Expression<Field = string> =
  | { readonly kind: "NUMBER"; readonly text: string }
  | { readonly kind: "FIELD"; readonly field: Field }
  | {
      readonly kind: "OPERATION";
      readonly sign: Sign;
      readonly left: Expression<Field>;
      readonly right: Expression<Field>;
    };

type Sign = "+" | "-" | "*" | "/";

/** Maximum number of fields, numbers and parentheses. */
const partsMax = 50;
const token =
  /\s*(?:([0-9]{1,30}(?:\.[0-9]{1,30})?)(?![\w.])|((?:"(?:[^"]|"")*"|[^\s"()+*/.,-]+)(?:\.(?:"(?:[^"]|"")*"|[^\s"()+*/.,-]+))*)|([()+*/-]))/y;

/** Parses an expression by the usual precedence of the signs; undefined for any other text. */
export function parseExpression(text: string): Expression | undefined {
  const parser = new ExpressionParser(text.trimEnd());
  const expression = parser.sum();
  return parser.isAtEnd ? expression : undefined;
}

/** Replaces the fields of an expression, from left to right. */
export function mapExpression<From, To>(
  expression: Expression<From>,
  map: (field: From) => To,
): Expression<To> {
  switch (expression.kind) {
    case "NUMBER":
      return expression;
    case "FIELD":
      return { kind: "FIELD", field: map(expression.field) };
    case "OPERATION": {
      const left = mapExpression(expression.left, map);
      return { ...expression, left, right: mapExpression(expression.right, map) };
    }
    default:
      return expression satisfies never;
  }
}

class ExpressionParser {
  readonly #text: string;
  #at = 0;
  #parts = 0;
  /** The next number, field or sign; undefined at the end, and for a character that begins none. */
  #next: { readonly number?: string; readonly field?: string; readonly sign?: string } | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  get isAtEnd(): boolean {
    return this.#next === undefined && this.#at === this.#text.length;
  }

  sum(): Expression | undefined {
    return this.#chain(["+", "-"], () => this.#product());
  }

  #product(): Expression | undefined {
    return this.#chain(["*", "/"], () => this.#factor());
  }

  #chain(signs: readonly Sign[], operand: () => Expression | undefined): Expression | undefined {
    let left = operand();
    while (left !== undefined) {
      const sign = signs.find((one) => one === this.#next?.sign);
      if (sign === undefined) return left;
      this.#advance();
      const right = operand();
      left = right && { kind: "OPERATION", sign, left, right };
    }
    return undefined;
  }

  #factor(): Expression | undefined {
    this.#parts += 1;
    if (this.#parts > partsMax) return undefined;
    const { number, field, sign } = this.#next ?? {};
    if (number !== undefined) {
      this.#advance();
      return { kind: "NUMBER", text: number };
    }
    if (field !== undefined) {
      this.#advance();
      return { kind: "FIELD", field: readPath(field) };
    }
    if (sign === "-") {
      this.#advance();
      const right = this.#factor();
      return right && { kind: "OPERATION", sign, left: { kind: "NUMBER", text: "0" }, right };
    }
    if (sign !== "(") return undefined;
    this.#advance();
    const inner = this.sum();
    if (this.#next?.sign !== ")") return undefined;
    this.#advance();
    return inner;
  }

  #advance(): void {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text);
    if (found === null) {
      this.#next = undefined;
      return;
    }
    this.#at = token.lastIndex;
    const [, number, field, sign] = found;
    this.#next =
      number !== undefined ? { number } : field !== undefined ? { field } : { sign: sign ?? "" };
  }
}
