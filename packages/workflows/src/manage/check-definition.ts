import type { Catalogue, Database } from "@rowhouse/db";
import { AppError, type Fault } from "@rowhouse/errors";
import { compileDefinition } from "../definition/compile-definition.ts";
import type { Definition } from "../definition/definition.ts";
import { parseDefinition } from "../definition/parse-definition.ts";
import { findMissingTargets } from "./missing-targets.ts";
import { findPublishFaults } from "./publish-faults.ts";
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

/**
 * Checks a definition as a publish would, and reports what the definition names and does not exist. Stores nothing.
 *
 * @param catalogue the tables that row steps may name
 */
export async function checkDefinition(
  database: Database,
  catalogue: Catalogue,
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
    const warnings = [
      ...findTableWarnings(catalogue, definition),
      ...(await findMissingTargets(transaction, definition)),
    ];
    return {
      definition,
      faults: [...faults.map(asError), ...warnings.slice(0, warningsMax).map(asWarning)],
      secrets: [...new Set(compilation.secretUses.map(({ name }) => name))].sort(),
    };
  });
}

function asError(fault: Fault): CheckedFault {
  return { ...fault, severity: "ERROR" };
}

function asWarning(fault: Fault): CheckedFault {
  return { ...fault, severity: "WARNING" };
}
