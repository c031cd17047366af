type Node = { readonly [key: string]: string | Node };

/** Returns texts in brackets, with accents, so that a test finds texts that no catalog contains. */
export function pseudo(words: Node): Node {
  return Object.fromEntries(
    Object.entries(words).map(([key, text]) => [
      key,
      typeof text === "string" ? `⟦${accented(text)}⟧` : pseudo(text),
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
