import { classes } from "./classes.ts";

interface Bar {
  readonly key: string | number;
  /** What the bar shows, in words. */
  readonly text: string;
  /** From the top to the bottom. */
  readonly parts: readonly { readonly count: number; readonly className: string }[];
}

interface StackedBarsProps {
  readonly bars: readonly Bar[];
  /** The height, and the gap between two bars. */
  readonly className: string;
}

/** Bars of counts, each of several parts. The highest one has the whole height. */
export function StackedBars({ bars, className }: StackedBarsProps) {
  const sumOf = ({ parts }: Bar) => parts.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bars.map(sumOf));
  return (
    <ol className={classes("flex items-end", className)}>
      {bars.map(({ key, text, parts }) => (
        <li
          key={key}
          title={text}
          className="flex h-full min-w-0 flex-1 flex-col justify-end border-line border-b"
        >
          <span className="sr-only">{text}</span>
          {parts.map((part) => (
            <span
              key={part.className}
              className={part.className}
              style={{ height: `${(part.count / most) * 100}%` }}
            />
          ))}
        </li>
      ))}
    </ol>
  );
}
