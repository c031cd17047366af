const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Splits the text of a JSON array into the texts of its items, without parsing them. */
export function jsonItems(array: string): string[] {
  const text = array.trim();
  const items: string[] = [];
  let level = 0;
  let start = 1;
  for (let at = 1; at < text.length - 1; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      level += 1;
    } else if (code === 0x7d || code === 0x5d) {
      level -= 1;
    } else if (code === comma && level === 0) {
      items.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = text.slice(start, -1).trim();
  if (last !== "") items.push(last);
  return items;
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
