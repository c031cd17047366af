import { classes } from "./classes.ts";
import type { IconComponent } from "./create-icon.ts";

interface IconButtonProps {
  readonly label: string;
  readonly icon: IconComponent;
  /** Null where it has no effect. */
  readonly onPress: (() => void) | null;
  readonly isDisabled?: boolean;
  /** Whether its place is narrow; it then has 24 pixels. */
  readonly isSmall?: boolean;
  /** The key that does the same in the field beside it, which is then the only Tab stop: `Alt+Enter`. */
  readonly fieldKey?: string;
}

/** A button that shows an icon. Its name is its tooltip too. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, onPress, isDisabled = false, isSmall = false, fieldKey } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={fieldKey === undefined ? label : `${label} (${fieldKey.replaceAll("+", " ")})`}
      aria-keyshortcuts={fieldKey}
      tabIndex={fieldKey === undefined ? undefined : -1}
      disabled={isDisabled || onPress === null}
      onClick={() => onPress?.()}
      className={classes(
        "grid shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink disabled:opacity-40",
        isSmall ? "size-6" : "size-7",
      )}
    >
      <Icon size={isSmall ? 14 : 16} aria-hidden="true" />
    </button>
  );
}
