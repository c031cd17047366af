const prettyMax = 200_000;
/** Deeper lines have the same indent: the length of the result stays in proportion. */
const indentMax = 50;

/** Returns JSON with line breaks, unless it is very long; numbers keep their digits. */
export function prettyJson(text: string): string {
  return text.length > prettyMax ? text : breakJson(text);
}

/** Returns JSON of any length with line breaks. A text of another form gets some, and loses nothing. */
export function breakJson(text: string): string {
  let depth = 0;
  const line = () => `\n${"  ".repeat(Math.min(Math.max(depth, 0), indentMax))}`;
  // Blanks outside of strings do not change a document. Empty lists and objects stay on one line. A string without an
  // end is one token, so that none of its quotes begins a further search.
  return text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)|\{\}|\[\]|[[\]{},:]/gs, (token) => {
    if (token === "{" || token === "[") {
      depth += 1;
      return `${token}${line()}`;
    }
    if (token === "}" || token === "]") {
      depth -= 1;
      return `${line()}${token}`;
    }
    if (token === ",") return `,${line()}`;
    return token === ":" ? ": " : token;
  });
}
