/** How the booleans of a file are written, in any case. */
export interface BooleanFormat {
  /** Its text, for a fingerprint. */
  readonly text: string;
  readonly true: string;
  readonly false: string;
}

/** Formats of spreadsheets and other systems, by which a reader can find the one of a file. */
export const booleanFormats = [
  ...["1/0", "yes/no", "y/n", "on/off", "ja/nein", "j/n", "wahr/falsch"],
  ...["oui/non", "o/n", "vrai/faux"],
] as const;

const usual = ["true/false", "t/f", ...booleanFormats].map((text) => text.split("/"));
const charsMax = 30;

/**
 * Parses a format such as `yes/no`: the text of true, a slash, and that of false.
 *
 * @returns undefined for any other text, such as `0/1`, which would exchange the values
 */
export function parseBooleanFormat(text: string): BooleanFormat | undefined {
  const parts = text.toLowerCase().split("/");
  const [yes = "", no = ""] = parts;
  const isPair = parts.length === 2 && yes !== no;
  const isText = (part: string) => part !== "" && part.length <= charsMax && part.trim() === part;
  if (!isPair || !isText(yes) || !isText(no)) return undefined;
  const isExchanged = usual.some(([first, second]) => first === no || second === yes);
  return isExchanged ? undefined : { text: `${yes}/${no}`, true: yes, false: no };
}

const plain: Readonly<Record<string, "true" | "false" | undefined>> = {
  ...{ true: "true", t: "true", false: "false", f: "false" },
};

/**
 * Returns the boolean of a cell; undefined for a cell in another form.
 *
 * @param format null for `true`, `false`, `t` and `f`
 */
export function readBoolean(
  format: BooleanFormat | null,
  cell: string,
): "true" | "false" | undefined {
  if (cell.length > charsMax) return undefined;
  const text = cell.toLowerCase();
  if (format === null) return Object.hasOwn(plain, text) ? plain[text] : undefined;
  return text === format.true ? "true" : text === format.false ? "false" : undefined;
}
