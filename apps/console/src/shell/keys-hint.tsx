import { useTranslations } from "use-intl";
import { keyParts } from "./keys.ts";

/** Keys that have a name in each language. */
const named = ["Ctrl", "Alt", "Shift", "Enter", "Escape", "Space", "Delete", "Backspace"] as const;

/** The keys of a shortcut beside what they do. By default screen readers get them by `aria-keyshortcuts`. */
export function KeysHint(props: {
  readonly keys: string;
  /** Whether screen readers get it here. */
  readonly isRead?: boolean;
}) {
  const t = useTranslations("keys");
  const names = keyParts(props.keys).map((part) => {
    const known = named.find((one) => one === part);
    return known === undefined ? part : t(known);
  });
  return (
    <kbd
      aria-hidden={props.isRead !== true}
      className="inline-flex shrink-0 items-center rounded-[4px] border border-line-strong px-1 font-mono text-1 text-ink-2"
    >
      {names.join(" ")}
    </kbd>
  );
}
