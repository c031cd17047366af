import { type AdminOperations, RowhouseError } from "@rowhouse/client";
import type { CodeFault } from "../ui/code-editor.tsx";

/** The answer of a run. */
export type SqlAnswer = AdminOperations["POST /sql"]["answer"]["data"];
/** The result of one statement. */
export type SqlResult = SqlAnswer["results"][number];

/** Statements that are to run. */
export interface RunRequest {
  readonly text: string;
  /** Where the text begins in the editor. */
  readonly from: number;
  readonly isExplain: boolean;
  readonly readOnly: boolean;
  readonly rowsMax: number | undefined;
  readonly timeoutMs: number | undefined;
}

/** Stands before a statement whose plan is asked for. */
const explainPrefix = "explain (format json) ";

/** The text that the service receives. */
export function sentText({ text, isExplain }: RunRequest): string {
  return isExplain ? explainPrefix + text : text;
}

/** A fault of the service about a statement. */
export interface SqlFault {
  readonly message: string;
  /** From 1. */
  readonly statement: number | undefined;
  readonly sqlState: string | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  /** Its place in the text of the editor. */
  readonly place: CodeFault | undefined;
}

/** Reads a failed statement; undefined for any other failure. */
export function readSqlFault(error: unknown, request: RunRequest): SqlFault | undefined {
  if (!(error instanceof RowhouseError)) return undefined;
  const fault = error.faults.find(({ path }) => path === "/data/sql");
  if (fault === undefined) return undefined;
  const { message, details = {} } = fault;
  const text = (name: string) => {
    const value = details[name];
    return typeof value === "string" ? value : undefined;
  };
  const { statement, position } = details;
  return {
    message,
    statement: typeof statement === "number" ? statement + 1 : undefined,
    sqlState: text("sqlState"),
    detail: text("detail"),
    hint: text("hint"),
    place: typeof position === "number" ? placeOf(position, message, request) : undefined,
  };
}

/** Returns the word at a position. PostgreSQL counts characters from 1, a surrogate pair as one. */
export function placeOf(position: number, message: string, request: RunRequest): CodeFault {
  const sent = sentText(request);
  const before = Array.from(sent).slice(0, position - 1);
  const at = before.join("").length;
  const word = /^[\p{L}\p{N}_$]+|^"[^"]*"/u.exec(sent.slice(at))?.[0] ?? "x";
  const shift = request.from - (request.isExplain ? explainPrefix.length : 0);
  const from = Math.max(request.from, at + shift);
  return { from, to: from + word.length, message };
}

/** Whether a statement failed because it changes something, which needs a run that may write. */
export function isRefusedWrite(fault: SqlFault | undefined): boolean {
  return fault?.sqlState === "25006";
}
