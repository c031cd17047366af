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
}

/** A button that shows an icon. Its name is its tooltip too. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, onPress, isDisabled = false, isSmall = false } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
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
