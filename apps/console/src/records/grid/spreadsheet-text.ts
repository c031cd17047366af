/** Returns a table of texts in the form that spreadsheets exchange: tabs, line feeds, and quotes where a text has these. */
export function writeTable(table: readonly (readonly string[])[]): string {
  return table.map((line) => line.map(quoted).join("\t")).join("\n");
}

function quoted(text: string): string {
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Reads a table of texts as a spreadsheet copies it. A line feed at the end is no line of its own. */
export function readTable(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy;
  while (cell.lastIndex < text.length || line.length > 0) {
    const [whole, inQuotes, plain = "", end] = cell.exec(text) ?? [];
    if (whole === undefined) break;
    line.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'));
    if (end === "\t") continue;
    lines.push(line);
    line = [];
    if (end === "") break;
  }
  return lines;
}
