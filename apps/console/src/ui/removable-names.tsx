import { IconButton } from "./icon-button.tsx";
import { X } from "./icons.generated.ts";

/** A name that a person has chosen. */
interface RemovableName {
  readonly key: string;
  readonly label: string;
}

/** The names that a person has chosen in a field; each has a button that removes it. Nothing without a name. */
export function RemovableNames(props: {
  readonly label: string;
  readonly names: readonly RemovableName[];
  /** Returns the label of the button that removes a name. */
  readonly removeLabel: (name: string) => string;
  readonly onRemove: (key: string) => void;
}) {
  const { label: listLabel, names, removeLabel, onRemove } = props;
  if (names.length === 0) return null;
  return (
    <ul aria-label={listLabel} className="flex flex-wrap gap-2">
      {names.map(({ key, label }) => (
        <li
          key={key}
          className="flex h-7 max-w-full items-center gap-1 rounded-control border border-line bg-sunken pl-2"
        >
          <span className="truncate" dir="auto" title={label}>
            {label}
          </span>
          <IconButton label={removeLabel(label)} icon={X} onPress={() => onRemove(key)} isSmall />
        </li>
      ))}
    </ul>
  );
}
