/** Returns a text on one line: a line feed, with the blanks around it and the empty lines, becomes a blank. */
export function joinLines(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line, index) => (index === 0 ? line.trimEnd() : line.trim()))
    .filter((line, index) => index === 0 || line !== "")
    .join(" ");
}
