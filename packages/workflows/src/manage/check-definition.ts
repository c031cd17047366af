import type { Catalogue, Database } from "@rowhouse/db";
import { AppError, type Fault } from "@rowhouse/errors";
import { compileDefinition } from "../definition/compile-definition.ts";
import type { Definition } from "../definition/definition.ts";
import { parseDefinition } from "../definition/parse-definition.ts";
import { findMissingTargets } from "./missing-targets.ts";
import { executeAsPath, findPublishFaults } from "./publish-faults.ts";
import { findRightWarnings, type RightsOnTable } from "./right-warnings.ts";
import { findTableWarnings } from "./table-warnings.ts";

/** A fault prevents the definition from being published; with a warning, a step probably fails. */
export type CheckedFault = Fault & { readonly severity: "ERROR" | "WARNING" };

/** The result of a check. */
export interface CheckedDefinition {
  /** The definition with its defaults; null if a part has an invalid form. */
  readonly definition: Definition | null;
  /** With JSON pointers into the definition; errors first. */
  readonly faults: CheckedFault[];
  /** Names of the secrets that the definition uses, in order. */
  readonly secrets: string[];
}

/** More warnings help nobody. */
const warningsMax = 50;

export interface CheckDeps {
  readonly database: Database;
  /** The tables that row steps may name. */
  readonly catalogue: Catalogue;
  /** Returns the rights of an active user. */
  rightsOf(userId: string): Promise<RightsOnTable>;
}

/**
 * Checks a definition as a publish would, and reports what a run would not find: tables, columns, permissions of its
 * user, workflows and documents. Stores nothing.
 */
export async function checkDefinition(
  { database, catalogue, rightsOf }: CheckDeps,
  input: unknown,
): Promise<CheckedDefinition> {
  let definition: Definition;
  try {
    definition = parseDefinition(input, "");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { definition: null, faults: error.faults.map(asError), secrets: [] };
  }
  const compilation = compileDefinition(definition);
  return database.transaction(async (transaction) => {
    const faults = await findPublishFaults(transaction, definition, compilation);
    const { executeAs } = definition.trigger;
    const hasUser = executeAs !== null && !faults.some(({ path }) => path === executeAsPath);
    const rightsOn = hasUser ? await rightsOf(executeAs) : undefined;
    const warnings = firstOfEachPath([
      ...findTableWarnings(catalogue, definition),
      ...findRightWarnings(catalogue, definition, rightsOn),
      ...(await findMissingTargets(transaction, definition)),
    ]);
    return {
      definition,
      faults: [...faults.map(asError), ...warnings.slice(0, warningsMax).map(asWarning)],
      secrets: [...new Set(compilation.secretUses.map(({ name }) => name))].sort(),
    };
  });
}

/** A column that does not accept values needs no further warning that nobody may set it. */
function firstOfEachPath(faults: readonly Fault[]): Fault[] {
  const paths = new Set<string | undefined>();
  return faults.filter(({ path }) => !paths.has(path) && paths.add(path));
}

function asError(fault: Fault): CheckedFault {
  return { ...fault, severity: "ERROR" };
}

function asWarning(fault: Fault): CheckedFault {
  return { ...fault, severity: "WARNING" };
}
