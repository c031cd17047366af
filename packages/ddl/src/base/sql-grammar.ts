import { quoteIdentifier } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import type { Node, SelectStmt } from "libpg-query";
import { withoutLineComments } from "./sql-text.ts";
import { placeAtByte, placeAtCharacter, type TextPlace } from "./text-place.ts";

/** Limits that are checked before the parser runs, because the parser is recursive. */
interface Bounds {
  /** Name of the text in an error. */
  readonly noun: string;
  /** In characters. */
  readonly lengthMax: number;
  readonly tokensMax: number;
}
const expressionBounds: Bounds = { noun: "expression", lengthMax: 10_000, tokensMax: 1000 };
const definitionBounds: Bounds = { noun: "definition", lengthMax: 50_000, tokensMax: 5000 };
const commentTokens: ReadonlySet<string> = new Set(["SQL_COMMENT", "C_COMMENT"]);
const semicolonToken = "ASCII_59";

type Grammar = Pick<typeof import("libpg-query"), "parseSync" | "scanSync"> &
  Pick<typeof import("pgsql-deparser"), "deparseSync">;

let grammar: Grammar | undefined;

/** Loads the grammar of Postgres with the first text, as a program of WebAssembly. */
export async function loadGrammar(): Promise<void> {
  if (grammar !== undefined) return;
  const [{ loadModule, parseSync, scanSync }, { deparseSync }] = await Promise.all([
    import("libpg-query"),
    import("pgsql-deparser"),
  ]);
  await loadModule();
  grammar = { parseSync, scanSync, deparseSync };
}

/** The grammar, which every parsed text has loaded. */
function loadedGrammar(): Grammar {
  if (grammar === undefined) throw new Error("The grammar is loaded by the first parsed text");
  return grammar;
}

/** Throws the error for a text that an administrator wrote, with the reason as its message. */
export function refuseExpression(path: string, message: string, place?: TextPlace): never {
  throw createError("EXPRESSION_INVALID", {
    path,
    message,
    ...(place === undefined ? {} : { details: { ...place } }),
  });
}

/** What stands before an expression while it is parsed; the locations of its tree count from there. */
export const expressionStart = "select 1 where ";

/** Returns a name as PostgreSQL writes it. Call it after a text has been parsed. */
export function quoteAsPostgres(name: string): string {
  const [token] = /^[a-z_][a-z0-9_]*$/.test(name) ? loadedGrammar().scanSync(name).tokens : [];
  const isBare = token?.keywordName === "NO_KEYWORD" || token?.keywordName === "UNRESERVED_KEYWORD";
  return isBare ? name : quoteIdentifier(name);
}

/**
 * Parses exactly one expression with the grammar of Postgres.
 *
 * @throws AppError EXPRESSION_INVALID for anything else: a list, an alias, a clause, a second statement, a comment
 */
export async function parseOneExpression(text: string, path: string): Promise<Node> {
  await loadGrammar();
  requireBounded(text, path, expressionBounds);
  // In a WHERE clause the grammar accepts one a_expr: no alias, no list, no DISTINCT.
  const select = parseSelect(`${expressionStart}${text}`, path);
  const { targetList, whereClause, limitOption, op, ...rest } = select;
  if (whereClause === undefined || Object.keys(rest).length > 0) {
    refuseExpression(path, "Exactly one expression is required");
  }
  return whereClause;
}

/**
 * Parses exactly one type name, in the form of a cast.
 *
 * @throws AppError EXPRESSION_INVALID for anything else
 */
export async function parseOneType(text: string, path: string): Promise<Node> {
  await loadGrammar();
  requireBounded(text, path, expressionBounds);
  const { targetList, limitOption, op, ...rest } = parseSelect(`select null::${text}`, path);
  const target = targetList?.length === 1 ? targetList[0] : undefined;
  if (target === undefined || !("ResTarget" in target) || Object.keys(rest).length > 0) {
    refuseExpression(path, "Exactly one type is required");
  }
  const { val, name } = target.ResTarget;
  if (val === undefined || name !== undefined || !("TypeCast" in val)) {
    refuseExpression(path, "Exactly one type is required");
  }
  return val;
}

/**
 * Parses exactly one SELECT (or VALUES, or TABLE) with the grammar of Postgres.
 *
 * @throws AppError EXPRESSION_INVALID for anything else: another statement, a second one, a comment
 */
export async function parseOneSelect(text: string, path: string): Promise<SelectStmt> {
  await loadGrammar();
  requireBounded(text, path, definitionBounds);
  return parseSelect(text, path, definitionBounds);
}

/** A statement of a text, without the semicolon at its end. */
export interface ParsedStatement {
  readonly sql: string;
  readonly node: Node;
  /** Offset of its first byte in the text; locations of nodes count from the start of the text too. */
  readonly start: number;
}

/** The scanner reads a run of such characters again at each start of a comment within it. */
const operatorRun = /[~!@#^&|`?+\-*/%<>=]{500,}/g;

function requireShortOperators(text: string, path: string): void {
  const isLong = text.match(operatorRun)?.some((run) => run.includes("/*"));
  if (isLong === true) refuseExpression(path, "A comment or an operator is too long");
}

/** Of a text of several statements; the parser is recursive within one of them. */
const textBounds = { charactersMax: 300_000, tokensMax: 50_000, statementTokensMax: 10_000 };

/**
 * Parses a text of statements with the grammar of Postgres. Comments have no meaning.
 *
 * @throws AppError EXPRESSION_INVALID with the line and the column of the fault
 */
export async function parseStatements(text: string, path: string): Promise<ParsedStatement[]> {
  await loadGrammar();
  const { charactersMax, tokensMax, statementTokensMax } = textBounds;
  if (text.trim() === "") return [];
  if (text.length > charactersMax || !isStorableText(text)) {
    refuseExpression(path, `A text of SQL has at most ${charactersMax} characters and no NUL`);
  }
  requireShortOperators(text, path);
  const { parseSync, scanSync } = loadedGrammar();
  const tokens = attempt(() => scanSync(asScannable(text)))?.tokens;
  if (tokens === undefined)
    refuseExpression(path, "PostgreSQL's grammar does not accept this text");
  let count = 0;
  for (const { tokenName, start } of tokens) {
    count = tokenName === semicolonToken ? 0 : count + 1;
    if (count <= statementTokensMax) continue;
    const message = `A statement can have at most ${statementTokensMax} tokens`;
    refuseExpression(path, message, placeAtByte(text, start));
  }
  if (tokens.length > tokensMax) {
    refuseExpression(path, `A text of SQL can have at most ${tokensMax} tokens`);
  }
  if (tokens.every(({ tokenName }) => commentTokens.has(tokenName))) return [];
  let at: number | undefined;
  const parsed = attempt(
    () => parseSync(text),
    (error) => {
      at = (error as { sqlDetails?: { cursorPosition?: number } }).sqlDetails?.cursorPosition;
    },
  );
  if (parsed === undefined) {
    const place = at === undefined || at < 0 ? undefined : placeAtCharacter(text, at);
    refuseExpression(path, "PostgreSQL's grammar does not accept this text", place);
  }
  const bytes = Buffer.from(text);
  return (parsed.stmts ?? []).flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    if (stmt === undefined) return [];
    const end = length === undefined || length === 0 ? undefined : start + length;
    return [{ sql: bytes.subarray(start, end).toString().trim(), node: stmt, start }];
  });
}

/**
 * The scanner returns JSON that control characters make invalid; each becomes a space of as many bytes. So does a comment to the
 * end of its line, which would have no end then.
 */
function asScannable(sql: string): string {
  const blank = (text: string) => " ".repeat(Buffer.byteLength(text));
  return withoutLineComments(sql, blank).replaceAll(/\p{Cc}/gu, blank);
}

/** Returns the tokens of a text that was parsed, without comments, with their offsets in bytes. */
export function scannedTokens(sql: string): ReturnType<Grammar["scanSync"]>["tokens"] {
  const { tokens } = loadedGrammar().scanSync(asScannable(sql));
  return tokens.filter(({ tokenName }) => !commentTokens.has(tokenName));
}

/** Returns a statement that was parsed up to the end of its last token of this word, such as `is`. */
export function textUpToLast(sql: string, word: string): string {
  const last = scannedTokens(sql).findLast(({ text }) => text.toLowerCase() === word);
  return Buffer.from(sql)
    .subarray(0, last?.end ?? 0)
    .toString();
}

/** Deparses a SELECT to SQL, with the same proof as `deparseExpression`. */
export function deparseSelect(select: SelectStmt, path: string): string {
  return deparse({ SelectStmt: select }, path, (sql) => ({
    SelectStmt: parseSelect(sql, path, definitionBounds),
  }));
}

/**
 * Deparses an expression to SQL. The result is parsed again and must give the same tree, so that an error of the
 * deparser cannot change the meaning of an expression.
 */
export function deparseExpression(node: Node, path: string): string {
  return deparse(node, path, (sql) => parseSelect(`select 1 where ${sql}`, path).whereClause);
}

/** Deparses the type of a cast (see `parseOneType`) to SQL, with the same proof. */
export function deparseCastType(cast: Node, path: string): string {
  if (!("TypeCast" in cast) || cast.TypeCast.typeName === undefined) {
    refuseExpression(path, "Exactly one type is required");
  }
  return deparse({ TypeName: cast.TypeCast.typeName }, path, (sql) => {
    const [target] = parseSelect(`select null::${sql}`, path).targetList ?? [];
    const val = target !== undefined && "ResTarget" in target ? target.ResTarget.val : undefined;
    const typeName = val !== undefined && "TypeCast" in val ? val.TypeCast.typeName : undefined;
    return typeName === undefined ? undefined : { TypeName: typeName };
  });
}

function deparse(node: Node, path: string, reparse: (sql: string) => Node | undefined): string {
  const { deparseSync } = loadedGrammar();
  const sql = attempt(() => deparseSync(node, { pretty: false }));
  const again = sql === undefined ? undefined : attempt(() => reparse(sql));
  if (sql === undefined || again === undefined || treeTextOf(again) !== treeTextOf(node)) {
    refuseExpression(path, "This form is not supported; add parentheses");
  }
  return sql;
}

function requireBounded(text: string, path: string, bounds: Bounds): void {
  const { noun, lengthMax, tokensMax } = bounds;
  if (text.trim() === "") refuseExpression(path, `The ${noun} is empty`);
  // The parser reads a C string, which ends at the first NUL.
  if (text.length > lengthMax || !isStorableText(text)) {
    refuseExpression(path, `The ${noun} can have at most ${lengthMax} characters and no NUL`);
  }
  requireShortOperators(text, path);
  const { scanSync } = loadedGrammar();
  // The scanner returns JSON that control characters make invalid; between tokens they are equivalent to spaces.
  const tokens = attempt(() => scanSync(text.replaceAll(/\p{Cc}/gu, " ")))?.tokens;
  if (tokens === undefined) refuseExpression(path, `This is not a valid SQL ${noun}`);
  if (tokens.length > tokensMax) {
    refuseExpression(path, `The ${noun} can have at most ${tokensMax} tokens`);
  }
  for (const { tokenName, start } of tokens) {
    const name = commentTokens.has(tokenName)
      ? "comment"
      : tokenName === semicolonToken
        ? "semicolon"
        : undefined;
    if (name === undefined) continue;
    refuseExpression(path, `The ${noun} cannot contain a ${name}`, placeAtByte(text, start));
  }
}

function parseSelect(text: string, path: string, bounds: Bounds = expressionBounds): SelectStmt {
  const { parseSync } = loadedGrammar();
  let at: number | undefined;
  const statements = attempt(
    () => parseSync(text),
    (error) => {
      at = (error as { sqlDetails?: { cursorPosition?: number } }).sqlDetails?.cursorPosition;
    },
  )?.stmts;
  const [statement] = statements ?? [];
  if (statements?.length !== 1 || statement?.stmt === undefined) {
    // An expression is parsed within a statement of our own.
    const isWhole = bounds === definitionBounds && at !== undefined && at >= 0;
    const place = isWhole ? placeAtCharacter(text, at ?? 0) : undefined;
    refuseExpression(path, `This is not a valid SQL ${bounds.noun}`, place);
  }
  if (!("SelectStmt" in statement.stmt)) {
    refuseExpression(
      path,
      bounds === definitionBounds ? "A definition is one SELECT" : "This is not an expression",
    );
  }
  return statement.stmt.SelectStmt;
}

/** Returns the result, or undefined for a text that the parser refuses. Its messages are not passed on. */
function attempt<Result>(
  work: () => Result,
  onError: (error: unknown) => void = () => {},
): Result | undefined {
  try {
    return work();
  } catch (error) {
    onError(error);
    return undefined;
  }
}

const positions: ReadonlySet<string> = new Set([
  "location",
  "list_start",
  "list_end",
  "rexpr_list_start",
  "rexpr_list_end",
]);

/** Returns a tree as text without source positions and with sorted fields. */
export function treeTextOf(node: Node): string {
  return JSON.stringify(node, (_, value: unknown) =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .filter(([key]) => !positions.has(key))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
  );
}
