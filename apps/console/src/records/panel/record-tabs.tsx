import { classes } from "../../ui/classes.ts";

export interface RecordTab {
  readonly id: string;
  readonly label: string;
}

/** The tabs of a record; none if there is only one. */
export function RecordTabs(props: {
  readonly label: string;
  readonly tabs: readonly RecordTab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  if (props.tabs.length === 1) return null;
  return (
    <div
      role="tablist"
      aria-label={props.label}
      className="flex shrink-0 gap-4 overflow-x-auto border-line border-b px-4"
    >
      {props.tabs.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={props.chosen === id}
          onClick={() => props.onChoose(id)}
          className={classes(
            "-mb-px h-9 shrink-0 border-b-2 font-medium",
            props.chosen === id
              ? "border-accent text-ink"
              : "border-transparent text-ink-2 hover:text-ink",
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
