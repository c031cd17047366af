/** What hides other characters: `isLine` for a comment to the end of its line. */
interface Opaque {
  readonly end: number;
  readonly isLine: boolean;
}

const patterns = {
  // A name may contain dollars and end with an E, so it is read as a whole.
  word: /[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_$\u0080-\u{10ffff}]*/uy,
  number: /\d[\w.]*/y,
  dollar: /\$(?:[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*)?\$/uy,
  line: /--[^\n\r]*/y,
  text: /'[^']*'/y,
  escaped: /'[^'\\]*(?:\\[\s\S][^'\\]*)*'/y,
  quoted: /"[^"]*"/y,
};

function endOf(pattern: RegExp, sql: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}

/** Comments contain others. */
function endOfComment(sql: string, start: number): number | undefined {
  const bound = /\/\*|\*\//g;
  bound.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = bound.exec(sql);
    if (found === null) return undefined;
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return bound.lastIndex;
  }
}

/** Returns the literal, quoted name, text of a function or comment that starts here; its end is that of the SQL if it has none. */
function opaqueAt(sql: string, start: number, isEscaped: boolean): Opaque | undefined {
  const opaque = (end: number | undefined) => ({ end: end ?? sql.length, isLine: false });
  switch (sql[start]) {
    case "'":
      return opaque(endOf(isEscaped ? patterns.escaped : patterns.text, sql, start));
    case '"':
      return opaque(endOf(patterns.quoted, sql, start));
    case "-": {
      const end = endOf(patterns.line, sql, start);
      return end === undefined ? undefined : { end, isLine: true };
    }
    case "/":
      return sql.startsWith("/*", start) ? opaque(endOfComment(sql, start)) : undefined;
    case "$": {
      const body = endOf(patterns.dollar, sql, start);
      if (body === undefined) return undefined;
      const tag = sql.slice(start, body);
      const found = sql.indexOf(tag, body);
      return opaque(found < 0 ? undefined : found + tag.length);
    }
    default:
      return undefined;
  }
}

/** Returns the SQL without comments to the end of a line; `blank` gives what stands in their place. */
export function withoutLineComments(sql: string, blank: (text: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = 0, isEscaped = false; at < sql.length; ) {
    const opaque = opaqueAt(sql, at, isEscaped);
    if (opaque === undefined) {
      const word = endOf(patterns.word, sql, at);
      isEscaped = word !== undefined && /^e$/i.test(sql.slice(at, word));
      at = word ?? endOf(patterns.number, sql, at) ?? at + 1;
      continue;
    }
    if (opaque.isLine) {
      pieces.push(sql.slice(done, at), blank(sql.slice(at, opaque.end)));
      done = opaque.end;
    }
    isEscaped = false;
    at = opaque.end;
  }
  return [...pieces, sql.slice(done)].join("");
}
