import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";

interface ViewSwitchProps<View extends string> {
  readonly label: string;
  readonly view: View;
  readonly views: readonly { readonly view: View; readonly label: ReactNode }[];
  readonly onChange: (view: View) => void;
}

/** Buttons of which one is pressed: the view that is shown. */
export function ViewSwitch<View extends string>(props: ViewSwitchProps<View>) {
  return (
    <fieldset
      aria-label={props.label}
      className="flex w-fit gap-0.5 rounded-control bg-sunken p-0.5"
    >
      {props.views.map(({ view, label }) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === props.view}
          onClick={() => props.onChange(view)}
          className={classes(
            "flex h-6 items-center gap-1.5 rounded-[4px] px-2 text-2 font-medium",
            view === props.view ? "bg-surface text-ink" : "text-ink-2 hover:text-ink",
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
