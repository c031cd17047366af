import { scannedTokens } from "../base/sql-grammar.ts";

interface QualifiedName {
  readonly schema: string;
  /** Null for every name of the schema. */
  readonly name: string | null;
}

/**
 * Returns a statement that names objects in another schema. Names are those of the grammar's tokens, so the text of a
 * literal or of a function stays as it is.
 *
 * @param quoted the other schema, quoted
 */
export function redirect(sql: string, names: readonly QualifiedName[], quoted: string): string {
  const bytes = Buffer.from(sql);
  const tokens = scannedTokens(sql).map(({ start, end }) => ({
    ...{ start, end },
    text: bytes.subarray(start, end).toString(),
  }));
  const isNamed = (schema: string, name: string, position: number) =>
    names.some((one) => one.schema === schema && (one.name === null || one.name === name)) ||
    (names.some((one) => one.schema === schema) && isSequenceName(position));
  // The sequence of an identity is in the schema of its table.
  const isSequenceName = (position: number) =>
    tokens[position - 1]?.text.toLowerCase() === "name" &&
    tokens[position - 2]?.text.toLowerCase() === "sequence";
  const pieces: string[] = [];
  let done = 0;
  for (const [position, token] of tokens.entries()) {
    const [dot, last] = [tokens[position + 1], tokens[position + 2]];
    if (dot?.text !== "." || last === undefined || tokens[position - 1]?.text === ".") continue;
    if (!isNamed(identifierOf(token.text), identifierOf(last.text), position)) continue;
    pieces.push(bytes.subarray(done, token.start).toString(), quoted);
    done = token.end;
  }
  return [...pieces, bytes.subarray(done).toString()].join("");
}

function identifierOf(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token.toLowerCase();
}
