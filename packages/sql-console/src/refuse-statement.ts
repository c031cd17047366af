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
 * Why a statement cannot run, or undefined. The login's privileges restrict statements; this rejects only those that
 * would end the run's transaction or use another protocol.
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

/** Returns the faults of a text before it runs. */
export function faultsOfText(
  parts: readonly SqlPart[],
  parameters: readonly unknown[] | undefined,
): Fault[] {
  const path = "/data/sql";
  const faults: Fault[] = [];
  const refuse = (message: string, at = path) =>
    faults.push(createFault("BODY_INVALID", { path: at, message }));
  if (parts.length === 0) refuse("There is no statement");
  if (parts.length > statementsMax) refuse(`A run can have at most ${statementsMax} statements`);
  if (parts.length > 1 && parameters !== undefined) {
    refuse("Parameters require a single statement", "/data/parameters");
  }
  for (const part of parts) {
    const refusal = refusalOf(part);
    if (refusal !== undefined) refuse(refusal);
  }
  return faults;
}
