/** A name in double quotes, a quote within it doubled, up to what may follow a name. */
const quotedForm = /"((?:[^"]|"")*)"(?=$|[,.:)])/y;

/** The end of a quoted name that begins at a place in a text; null where none does. */
function quotedAt(
  text: string,
  at: number,
): { readonly name: string; readonly end: number } | null {
  if (text[at] !== '"') return null;
  quotedForm.lastIndex = at;
  const [, content = ""] = quotedForm.exec(text) ?? [];
  return quotedForm.lastIndex === 0
    ? null
    : { name: content.replaceAll('""', '"'), end: quotedForm.lastIndex };
}

/**
 * The name or path that a caller wrote: `plate`, `driver.name`, `"a,b"`, `driver."_and"`. Double quotes, as in SQL, hold
 * what would otherwise mean something. A quote that closes nowhere is part of the name.
 */
export function readName(written: string): string {
  if (!written.includes('"')) return written;
  let name = "";
  for (let at = 0; at < written.length; ) {
    const isStart = at === 0 || written[at - 1] === ".";
    const quoted = isStart ? quotedAt(written, at) : null;
    name += quoted === null ? written[at] : quoted.name;
    at = quoted === null ? at + 1 : quoted.end;
  }
  return name;
}

/** What has to be in quotes: an operator's form, a sign of order, and what divides names, terms and parameters. */
const needsQuotes = /^$|^[_"-]|[,()[\]]|:nulls_(?:first|last)$/;

/** A name as `readName` reads it. */
export function writeName(name: string): string {
  return needsQuotes.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** A list of names or terms divided by commas, but for those in quotes or parentheses. */
export function splitTerms(text: string): string[] {
  if (!/["(]/.test(text)) return text.split(",");
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const isStart = at === start || (at === start + 1 && text[start] === "-");
    const mayQuote = isStart || ".(,".includes(text[at - 1] ?? "");
    const quoted = mayQuote ? quotedAt(text, at) : null;
    if (quoted !== null) {
      at = quoted.end;
      continue;
    }
    const character = text[at];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "," && depth === 0) {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
    at += 1;
  }
  terms.push(text.slice(start));
  return terms;
}
