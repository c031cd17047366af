/** Types in ascending order of range; each type can represent every value of the types before it. */
const ladders: readonly (readonly string[])[] = [
  ["smallint", "integer", "bigint", "numeric"],
  ["real", "double precision"],
  ["json", "text"],
];
const limitedText = /^character varying\((\d+)\)$/;
const limitedNumber = /^numeric\((\d+),(-?\d+)\)$/;

/**
 * Whether every value of a type stays the same in another type. Types are in the form of `format_type`. Conversions
 * outside these lists count as lossy.
 */
export function isLossless(from: string, to: string): boolean {
  if (from === to) return true;
  // Trailing blanks of a character(n) are not significant.
  if (to === "text") return !from.startsWith("character(");
  if (
    ladders.some((ladder) => ladder.includes(from) && ladder.indexOf(to) > ladder.indexOf(from))
  ) {
    return true;
  }
  const text = [limitedText.exec(from)?.[1], limitedText.exec(to)?.[1]];
  if (to === "character varying") return text[0] !== undefined || from === "text";
  if (text[0] !== undefined && text[1] !== undefined) return Number(text[0]) <= Number(text[1]);
  const [, precision, scale] = limitedNumber.exec(from) ?? [];
  if (precision === undefined) return false;
  if (to === "numeric") return true;
  const [, toPrecision, toScale] = limitedNumber.exec(to) ?? [];
  if (toPrecision === undefined) return false;
  const [digits, toDigits] = [
    Number(precision) - Number(scale),
    Number(toPrecision) - Number(toScale),
  ];
  return Number(scale) <= Number(toScale) && digits <= toDigits;
}
