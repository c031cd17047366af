/**
 * Characters that no name may have: a terminal or a page executes them, shows the text around them in another order, or shows
 * nothing. Joiners stay, because Persian and emoji need them.
 */
const illegible =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
/** Characters that look like nothing. */
const empty = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether people can read a name, and tell it from another one. */
export function isLegibleName(name: string): boolean {
  return !illegible.test(name) && name.replace(empty, "") !== "";
}

/** The message for a name that is not. */
export const illegibleName =
  "A name must have a visible character, and none that is invisible or changes the direction of the text";
