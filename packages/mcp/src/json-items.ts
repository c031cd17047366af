const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;

/** Splits the text of a JSON array into the texts of its items, without parsing them. */
export function jsonItems(array: string): string[] {
  const items: string[] = [];
  let start = 1;
  for (const end of itemEnds(array)) {
    items.push(array.slice(start, end).trim());
    start = end + 1;
  }
  return items;
}

/** Counts the items of a JSON array. */
export function countJsonItems(array: string): number {
  return itemEnds(array).length;
}

/** Returns the index after each item: that of its comma, or of the closing bracket. */
function itemEnds(array: string): number[] {
  const ends: number[] = [];
  const closing = array.lastIndexOf("]");
  let level = 0;
  let isEmpty = true;
  for (let at = 1; at < closing; at += 1) {
    const code = array.charCodeAt(at);
    if (code > space) isEmpty = false;
    if (code === quote) at = endOfString(array, at);
    else if (code === 0x7b || code === 0x5b) level += 1;
    else if (code === 0x7d || code === 0x5d) level -= 1;
    else if (code === comma && level === 0) ends.push(at);
  }
  if (!isEmpty) ends.push(closing);
  return ends;
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
