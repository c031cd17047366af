import { createFault, type Fault } from "@rowhouse/errors";
import type { SqlPart } from "./split-statements.ts";

const transactionWords: ReadonlySet<string> = new Set([
  "BEGIN",
  "START",
  "COMMIT",
  "END",
  "ROLLBACK",
  "ABORT",
  "SAVEPOINT",
  "RELEASE",
]);

/**
 * Why a statement cannot be run, or undefined. What a statement may not do is held by the login's rights; these are the
 * ones that would take the transaction from the run, or that speak another protocol.
 */
function refusalOf({ words }: SqlPart): string | undefined {
  const [first = "", second = ""] = words;
  if (transactionWords.has(first) || (first === "PREPARE" && second === "TRANSACTION")) {
    return `${first} cannot be used here: the statements of a run are one transaction`;
  }
  if (first === "COPY") return "COPY cannot be used here: it reads and writes files and streams";
  return undefined;
}

const statementsMax = 100;

/** The faults of a text that is to be run. */
export function faultsOfText(
  parts: readonly SqlPart[],
  parameters: readonly unknown[] | undefined,
): Fault[] {
  const path = "/data/sql";
  const faults: Fault[] = [];
  const refuse = (message: string, at = path) =>
    faults.push(createFault("BODY_INVALID", { path: at, message }));
  if (parts.length === 0) refuse("There is no statement");
  if (parts.length > statementsMax) refuse(`At most ${statementsMax} statements`);
  if (parts.length > 1 && parameters !== undefined) {
    refuse("Parameters belong to a single statement", "/data/parameters");
  }
  for (const part of parts) {
    const refusal = refusalOf(part);
    if (refusal !== undefined) refuse(refusal);
  }
  return faults;
}
