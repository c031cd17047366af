import { classes } from "./classes.ts";

/** What stands for a value that is empty. It does not look like typed text, and a selection leaves it out. */
export function EmptyMark({
  text,
  isInline = false,
}: {
  readonly text: string;
  /** Whether it stands in a line of others. */
  readonly isInline?: boolean;
}) {
  return (
    <span className={classes("text-ink-3 italic select-none", !isInline && "block truncate")}>
      {text}
    </span>
  );
}
