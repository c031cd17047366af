const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A combination of keys, as a shortcut names it: `Mod+K`, `Mod+Shift+Z`, `n`, `?`. `Mod` is Ctrl, on a Mac ⌘. */
interface Combination {
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

function parse(keys: string): Combination {
  // The plus sign is a key too.
  const parts = keys.split(/\+(?=.)/);
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { key: parts.at(-1) ?? "", mod: has("Mod"), shift: has("Shift"), alt: has("Alt") };
}

/** Returns whether a key press is a combination. */
export function isPressed(keys: string, event: KeyboardEvent): boolean {
  const { key, mod, shift, alt } = parse(keys);
  const modPressed = isMac ? event.metaKey : event.ctrlKey;
  const otherPressed = isMac ? event.ctrlKey : event.metaKey;
  if (event.key.toLowerCase() !== key.toLowerCase()) return false;
  if (modPressed !== mod || otherPressed || event.altKey !== alt) return false;
  // The layout of the keyboard decides whether a sign such as `?` needs Shift.
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  return isSign || event.shiftKey === shift;
}

/** Returns whether a combination is a single key, which a person can switch off (WCAG 2.1.4). */
export function isSingleKey(keys: string): boolean {
  const { key, mod, alt } = parse(keys);
  return key.length === 1 && !mod && !alt;
}

/** Returns the keys to press together on this computer. */
export function keyParts(keys: string): readonly string[] {
  const { key, mod, shift, alt } = parse(keys);
  return [
    ...(mod ? [isMac ? "⌘" : "Ctrl"] : []),
    ...(alt ? [isMac ? "⌥" : "Alt"] : []),
    ...(shift ? [isMac ? "⇧" : "Shift"] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ];
}

/** The value of `aria-keyshortcuts`. */
export function ariaKeys(keys: string): string {
  return keys.replace("Mod", isMac ? "Meta" : "Control");
}
