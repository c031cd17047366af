/** Returns the parts of a list with commas; commas within quotes and parentheses divide nothing. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === "(") depth += 1;
    else if (letter === ")") depth -= 1;
    else if (letter === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part.trim() !== "");
}

/** One column of an order. */
interface OrderPart {
  readonly name: string;
  readonly isDescending: boolean;
}

/** Returns the columns of an order; undefined for a text that is spelled otherwise. */
export function readOrder(text: string): readonly OrderPart[] | undefined {
  const parts = splitList(text).map((part) => ({
    name: part.startsWith("-") ? part.slice(1) : part,
    isDescending: part.startsWith("-"),
  }));
  return writeOrder(parts) === text ? parts : undefined;
}

/** Returns the text of an order. */
export function writeOrder(parts: readonly OrderPart[]): string {
  return parts.map(({ name, isDescending }) => (isDescending ? `-${name}` : name)).join(",");
}
