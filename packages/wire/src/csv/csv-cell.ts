/**
 * The beginning that makes a spreadsheet treat a cell as a formula (OWASP, CSV Injection), after optional white space.
 * Apostrophes before it are included, so that an import can distinguish them from the one that `csvCell` adds.
 */
const formulaStart = /^'*(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;

/**
 * Formats a cell. Null is an empty cell and an empty text is `""`, so that they differ. A text that a spreadsheet
 * would execute is preceded by an apostrophe.
 *
 * @param holdsText whether the cell may contain text that a user typed; a number is no formula, whatever its sign
 */
export function csvCell(value: string | null, holdsText: boolean): string {
  if (value === null) return "";
  if (holdsText && formulaStart.test(value)) return quote(`'${value}`);
  const text = holdsText ? value : value.replaceAll(/[\r\n]/g, "");
  return text === "" || needsQuotes.test(text) ? quote(text) : text;
}

/** Returns the text of a cell that `csvCell` wrote, without the apostrophe before the start of a formula. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
