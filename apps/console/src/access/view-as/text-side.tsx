import { breakJson } from "../../records/values/pretty-json.ts";
import { classes } from "../../ui/classes.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";

const linesMax = 2000;

/** A response as text. The lines that the other side lacks are marked. */
export function TextSide(props: {
  readonly label: string;
  readonly text: string;
  /** The text of the other side; null marks nothing. */
  readonly other: string | null;
}) {
  const { label, text, other } = props;
  const lines = pretty(text)
    .split("\n")
    .slice(0, linesMax)
    .map((line, index) => ({ id: `line ${index + 1}`, line }));
  const seen = other === null ? undefined : new Set(pretty(other).split("\n"));
  return (
    <ScrollRegion label={label} className="max-h-160 p-3">
      <pre dir="ltr" className="font-mono text-2">
        {lines.map(({ id, line }) => (
          <code
            key={id}
            className={classes("block", seen?.has(line) === false && "bg-warn-soft text-warn")}
          >
            {line === "" ? " " : line}
          </code>
        ))}
      </pre>
    </ScrollRegion>
  );
}

/** JSON with line breaks; numbers keep their digits. Any other text stays as it is. */
function pretty(text: string): string {
  return /^\s*[[{]/.test(text) ? breakJson(text) : text;
}
