import { csvDelimiters } from "@rowhouse/wire";

/** Signs between cells. */
export const separators: readonly string[] = Object.values(csvDelimiters);

/** Writes a cell; a null is empty, and an empty text has quotes. */
export function cellText(cell: string | null, separator: string): string {
  if (cell === null) return "";
  const isPlain = cell !== "" && !/["\r\n]/.test(cell) && !cell.includes(separator);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

/** Returns the separator that a header has most often outside of quotes. */
export function separatorOf(text: string): string {
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "\n" || sign === "\r")) break;
    else if (!isQuoted) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  const countOf = (sign: string) => counts.get(sign) ?? 0;
  const most = Math.max(...separators.map(countOf));
  return separators.find((sign) => countOf(sign) === most) ?? ",";
}
