/** One statement of a text. */
export interface SqlPart {
  readonly text: string;
  /** Number of characters of the whole text before it, as PostgreSQL counts them. */
  readonly offset: number;
  /** Its first words in upper case, at most four; preceding parentheses are skipped. */
  readonly words: readonly string[];
}

// PostgreSQL's lexical rules (https://www.postgresql.org/docs/18/sql-syntax-lexical.html), each applied at the current
// position.
const rules: readonly (readonly [Kind, RegExp])[] = [
  ["BLANK", /[ \t\n\r\f\v]+|--[^\n\r]*/y],
  ["OTHER", /[eE]'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*(?:'|$)/y],
  ["OTHER", /'[^']*(?:''[^']*)*(?:'|$)/y],
  ["OTHER", /"[^"]*(?:""[^"]*)*(?:"|$)/y],
  ["OTHER", /\$((?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[\s\S]*?(?:\$\1\$|$)/y],
  ["WORD", /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ["OTHER", /[0-9.$][\w.]*/y],
];
type Kind = "BLANK" | "WORD" | "OTHER";

interface Token {
  readonly kind: Kind | "SYMBOL";
  readonly text: string;
  readonly end: number;
}

const wordsMax = 4;

/**
 * Splits a text at the semicolons between its statements, as psql does. A semicolon within parentheses or within the
 * body of a function (BEGIN ATOMIC … END) does not split. Parts without a statement are omitted.
 *
 * PostgreSQL accepts exactly one statement at a time, so it rejects a wrong split. PostgreSQL's grammar is not used:
 * it recurses, and belongs to one version.
 */
export function splitStatements(sql: string): SqlPart[] {
  const parts: SqlPart[] = [];
  let start: number | undefined;
  let words: string[] = [];
  let brackets = 0;
  let blocks = 0;
  let counted = 0;
  let characters = 0;
  const finish = (end: number): void => {
    if (start !== undefined) {
      characters += charactersIn(sql.slice(counted, start));
      counted = start;
      parts.push({ text: sql.slice(start, end), offset: characters, words });
    }
    start = undefined;
    words = [];
    brackets = 0;
    blocks = 0;
  };
  let previous = "";
  for (let at = 0; at < sql.length; ) {
    const token = tokenAt(sql, at);
    if (token.kind === "SYMBOL" && token.text === ";" && brackets === 0 && blocks === 0) {
      finish(at);
    } else if (token.kind !== "BLANK") {
      start ??= at;
      const word = token.kind === "WORD" ? token.text.toUpperCase() : "";
      if (word !== "" && words.length < wordsMax) words.push(word);
      if (token.text === "(") brackets += 1;
      if (token.text === ")") brackets = Math.max(0, brackets - 1);
      if (word === "ATOMIC" && previous === "BEGIN" && words[0] === "CREATE") blocks += 1;
      else if (word === "CASE" && blocks > 0) blocks += 1;
      else if (word === "END" && blocks > 0) blocks -= 1;
      previous = word;
    }
    at = token.end;
  }
  finish(sql.length);
  return parts;
}

/** Counts characters as PostgreSQL does: a surrogate pair is one. */
function charactersIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function tokenAt(sql: string, at: number): Token {
  if (sql.startsWith("/*", at)) {
    const end = endOfComment(sql, at);
    return { kind: "BLANK", text: "", end };
  }
  for (const [kind, rule] of rules) {
    rule.lastIndex = at;
    const text = rule.exec(sql)?.[0];
    if (text !== undefined) return { kind, text, end: at + text.length };
  }
  return { kind: "SYMBOL", text: sql.charAt(at), end: at + 1 };
}

/** Comments of this kind nest. */
function endOfComment(sql: string, at: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = at;
  let depth = 0;
  for (let match = edge.exec(sql); match !== null; match = edge.exec(sql)) {
    depth += match[0] === "/*" ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return sql.length;
}
