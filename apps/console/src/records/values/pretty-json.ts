const prettyMax = 200_000;

/** Returns JSON with line breaks, unless it is very long; numbers keep their digits. */
export function prettyJson(text: string): string {
  if (text.length > prettyMax) return text;
  let depth = 0;
  // Blanks outside of strings do not change a document. Empty lists and objects stay on one line.
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[[\]{},:]/g, (token) => {
    if (token === "{" || token === "[") return `${token}\n${"  ".repeat(++depth)}`;
    if (token === "}" || token === "]") return `\n${"  ".repeat(--depth)}${token}`;
    if (token === ",") return `,\n${"  ".repeat(depth)}`;
    return token === ":" ? ": " : token;
  });
}
