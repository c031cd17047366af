interface SparklineProps {
  readonly values: readonly (number | null)[];
  /** What the line shows, in words. */
  readonly text: string;
  readonly color: string;
}

const width = 100;
const height = 28;

/** A small line without axes. Gaps are where values are missing. */
export function Sparkline({ values, text, color }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const most = Math.max(...known);
  const least = Math.min(0, ...known);
  const span = most - least || 1;
  const parts: string[] = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      const x = values.length < 2 ? width / 2 : (index / (values.length - 1)) * width;
      const y = height - 1 - ((value - least) / span) * (height - 2);
      parts.push(`${isOpen ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`);
    }
    isOpen = value !== null;
  }
  return (
    <svg
      role="img"
      aria-label={text}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-full max-h-16 min-h-0 w-full"
    >
      <path
        d={parts.join("")}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
