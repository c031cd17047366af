/** The values from `low` to before `high`; null for no bound. */
interface Span {
  readonly low: bigint | null;
  readonly high: bigint | null;
}

/** Reads the canonical text of an `int4range` or an `int4multirange`: its spans, in order. */
function spansOf(text: string): readonly Span[] {
  if (text === "empty") return [];
  return Array.from(text.matchAll(/[[(](-?\d*),(-?\d*)\)/g), ([, low = "", high = ""]) => ({
    low: low === "" ? null : BigInt(low),
    high: high === "" ? null : BigInt(high),
  }));
}

function compareLow(left: bigint | null, right: bigint | null): number {
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  return left < right ? -1 : Number(left > right);
}

const compareHigh = (left: bigint | null, right: bigint | null): number =>
  left === null || right === null
    ? Number(left === null) - Number(right === null)
    : compareLow(left, right);

/** Whether values from `low` on begin before a span ends at `high`. */
const isBefore = (low: bigint | null, high: bigint | null): boolean =>
  low === null || high === null || low < high;

/** An empty range is the least; else the lower bounds decide, then the upper ones. A list of ranges compares one by one. */
export function compareRanges(left: string, right: string): number {
  const [one, two] = [spansOf(left), spansOf(right)];
  for (const [at, { low, high }] of one.entries()) {
    const other = two[at];
    if (other === undefined) return 1;
    const order = compareLow(low, other.low) || compareHigh(high, other.high);
    if (order !== 0) return order;
  }
  return one.length - two.length;
}

/** The tests of ranges, by their operators. */
export const rangeTests: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  _contains_value: (value, operand) => covers(value, `[${operand},${BigInt(operand) + 1n})`),
  _contains_range: covers,
  _contained_by: (value, operand) => covers(operand, value),
  _overlaps: (value, operand) =>
    spansOf(value).some(({ low, high }) =>
      spansOf(operand).some((other) => isBefore(low, other.high) && isBefore(other.low, high)),
    ),
  _adjacent: (value, operand) => {
    const [one, two] = [spansOf(value), spansOf(operand)];
    const meets = (before: readonly Span[], after: readonly Span[]): boolean => {
      const [end, start] = [before.at(-1)?.high, after[0]?.low];
      return end != null && end === start;
    };
    return meets(one, two) || meets(two, one);
  },
};

function covers(value: string, operand: string): boolean {
  return spansOf(operand).every(({ low, high }) =>
    spansOf(value).some(
      (outer) => compareLow(outer.low, low) <= 0 && compareHigh(outer.high, high) >= 0,
    ),
  );
}

/** A bound of all spans together; null if there is none. */
export function boundOf(text: string, bound: "lower" | "upper"): string | null {
  const spans = spansOf(text);
  const number = bound === "lower" ? spans[0]?.low : spans.at(-1)?.high;
  return number == null ? null : String(number);
}
