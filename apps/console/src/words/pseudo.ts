/** Texts as they are written; or as they are compiled, with a text in several parts. */
type Node = { readonly [key: string]: string | readonly unknown[] | Node };

/** Returns texts in brackets, with accents, so that a test finds texts that no catalog contains. */
export function pseudo(words: Node): Node {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => {
      if (typeof text === "string") return [key, `⟦${accented(text)}⟧`];
      return [
        key,
        Array.isArray(text) ? ["⟦", ...text.map(accentedPart), "⟧"] : pseudo(text as Node),
      ];
    }),
  );
}

/** A part of a compiled text: words, an argument with its kind and its choices, or a tag with its content. */
function accentedPart(part: unknown): unknown {
  if (typeof part === "string") return accented(part);
  if (!Array.isArray(part)) return part;
  const [name, kind, ...rest] = part as unknown[];
  if (typeof kind !== "number")
    return part.length < 2 ? part : [name, ...part.slice(1).map(accentedPart)];
  return [
    name,
    kind,
    ...rest.map((choices) => (isChoice(kind) ? accentedChoices(choices) : choices)),
  ];
}

/** Whether an argument has a text for each of its values: `select`, `plural` and `selectordinal`. */
function isChoice(kind: number): boolean {
  return kind >= 1 && kind <= 3;
}

function accentedChoices(choices: unknown): unknown {
  return Object.fromEntries(
    Object.entries(choices as object).map(([value, text]) => [
      value,
      Array.isArray(text) ? text.map(accentedPart) : accentedPart(text),
    ]),
  );
}

/** Replaces letters outside of arguments and tags. */
function accented(text: string): string {
  let depth = 0;
  return [...text]
    .map((letter) => {
      if (letter === "{" || letter === "<") depth += 1;
      if (letter === "}" || letter === ">") depth -= 1;
      return depth > 0
        ? letter
        : letter.replaceAll("a", "á").replaceAll("e", "é").replaceAll("o", "ö");
    })
    .join("");
}
