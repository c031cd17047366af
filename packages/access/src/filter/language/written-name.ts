/** A name in double quotes, with doubled quotes inside, followed by a character that may follow a name. */
const quotedForm = /"((?:[^"]|"")*)"(?=$|[,.:)])/y;

/** Returns the end of a quoted name that starts at this position; null if none starts there. */
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
 * Reads a name or path as a caller wrote it: `plate`, `driver.name`, `"a,b"`, `driver."_and"`. As in SQL, double
 * quotes escape characters with a special meaning. A quote without a closing quote is part of the name.
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

/**
 * Returns the end of the arguments of a function that is named at this position, with balanced parentheses and quotes; the
 * position itself if there is none, null if the parentheses have no end. They are read on their own.
 */
function callEnd(text: string, start: number): number | null {
  callForm.lastIndex = start;
  if (!callForm.test(text)) return start;
  let depth = 1;
  for (let at = callForm.lastIndex; at < text.length; ) {
    const end = argumentEnd(text, at);
    if (end !== null) {
      at = end;
      continue;
    }
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return null;
}

const callForm = /[a-z_]+\(/y;
const argumentForm = /"(?:[^"]|"")*"/y;

/** Returns the end of a quoted name that starts at this position within the arguments of a function; null if none does. */
export function argumentEnd(text: string, at: number): number | null {
  if (text[at] !== '"' || /[^\s(),.+*/-]/.test(text[at - 1] ?? "")) return null;
  argumentForm.lastIndex = at;
  return argumentForm.test(text) ? argumentForm.lastIndex : null;
}

/**
 * Reads a path as `readName` does, and marks what its quotes protect: `documentKeysOf` distinguishes `doc."a.b"` from `doc.a.b`, and
 * `wholeName` distinguishes `port."name"` from the name `port.name`. The marks begin with NUL, which no name contains;
 * `plainPath` removes them.
 */
export function readPath(written: string): string {
  if (!written.includes('"')) return written;
  let path = "";
  // Parentheses without an end are read once.
  let isClosed = true;
  for (let at = 0; at < written.length; ) {
    const isStart = at === 0 || written[at - 1] === ".";
    const end = isStart && isClosed ? callEnd(written, at) : at;
    if (end === null) isClosed = false;
    else if (end > at) {
      path += written.slice(at, end);
      at = end;
      continue;
    }
    const quoted = isStart ? quotedAt(written, at) : null;
    if (quoted === null) {
      path += written[at];
      at += 1;
      continue;
    }
    if (path.endsWith(".")) path += separatorMark;
    path += marked(quoted.name);
    at = quoted.end;
    if (written[at] !== ".") continue;
    path += `.${separatorMark}`;
    at += 1;
  }
  return path;
}

/** Follows a dot that separates two names, and is in no name. */
const separatorMark = "\0s";

/** Joins two paths; no name extends over both. */
export function joinPaths(path: string, rest: string): string {
  return `${path}.${separatorMark}${rest}`;
}

/** Returns the name that a path of `readPath` is, or a part of one; undefined if it is several names for certain. */
export function wholeName(path: string): string | undefined {
  if (!path.includes("\0")) return path;
  const name = path.startsWith(separatorMark) ? path.slice(separatorMark.length) : path;
  return name.includes(separatorMark) ? undefined : plainPath(name);
}

/** Keeps only the marks of separators. A whole path in one pair of quotes, as older records have it, is still a path. */
export function looseNames(path: string): string {
  if (!path.includes("\0")) return path;
  return path.replaceAll("\0e", "").replaceAll("\0a", "*").replaceAll("\0d", ".");
}

function marked(name: string): string {
  if (name === "") return "\0e";
  return name === "*" ? "\0a" : name.replaceAll(".", "\0d");
}

/** Returns the text that `readName` returns, for a path of `readPath`. */
export function plainPath(path: string): string {
  return looseNames(path).replaceAll(separatorMark, "");
}

/** Returns the keys of a path into a document; undefined if one of them is missing, or is `*` without quotes. */
export function documentKeysOf(path: string): readonly string[] | undefined {
  const keys = path.replaceAll(separatorMark, "").split(".");
  return keys.includes("") || keys.includes("*") ? undefined : keys.map(plainPath);
}

/**
 * Names that require quotes: those with the form of an operator or a sign of order, and those with separators of
 * names, terms or parameters.
 */
const needsQuotes = /^$|^[_"-]|[,()[\]]|:nulls_(?:first|last)$/;

/** Writes a name so that `readName` reads it. */
export function writeName(name: string): string {
  return needsQuotes.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** Returns the end of a quoted name that starts at this position of a term; null if none does. */
function nameEnd(text: string, at: number, isStart: boolean): number | null {
  const mayQuote = isStart || ".,:".includes(text[at - 1] ?? " ");
  return mayQuote ? (quotedAt(text, at)?.end ?? null) : null;
}

/** Splits a list of names or terms, or each part of one, at its commas, except those within quotes or parentheses. */
export function splitTerms(text: string | readonly string[]): string[] {
  if (typeof text !== "string") return text.flatMap((part) => splitTerms(part));
  if (!/["(]/.test(text)) return text.split(",");
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const isStart = at === start || (at === start + 1 && text[start] === "-");
    const end = depth > 0 ? argumentEnd(text, at) : nameEnd(text, at, isStart);
    if (end !== null) {
      at = end;
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

/** Words that are abbreviations. */
const abbreviations = new Set(["api", "id", "ip", "url", "uuid"]);

/** Reads a name of the database as words: `ship_region` and `ShipRegion` are "Ship region". */
export function wordsOfName(name: string): string {
  const separated = isUpper(name)
    ? name.toLowerCase()
    : name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ");
  const words = separated.split(/[\s_]+/).filter((word) => word !== "");
  if (words.length === 0) return name;
  return words.map((word, index) => wordText(word, index === 0)).join(" ");
}

function isUpper(name: string): boolean {
  return name === name.toUpperCase();
}

function wordText(word: string, isFirst: boolean): string {
  const lower = word.toLowerCase();
  if (abbreviations.has(lower)) return lower.toUpperCase();
  // An abbreviation within a name stays as it is written.
  const text = word.length > 1 && isUpper(word) ? word : lower;
  return isFirst ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}
