import { parseExactJson } from "@rowhouse/wire";
import { ComputeBudget, readerCostMax } from "../base/compute-budget.ts";
import { exceedsSize, toJson } from "../base/json.ts";
import type { CompiledDefinition } from "../definition/compiled.ts";
import { Interpretation } from "../interpret/interpret.ts";
import type { JournalRecord } from "../model/run.ts";
import { redactStepInput } from "../secrets/redact-credentials.ts";

/** The limit of a shown input, in characters of JSON, approximately. A larger input is omitted. */
const inputSizeMax = 65_536;

/**
 * Computes the inputs of steps by replaying the definition over the journal, which holds everything that they follow
 * from. Secrets are not available here, so no input contains one; credential fields are redacted as well.
 *
 * @param wanted the paths of the steps
 * @returns inputs by path, without steps that have no input of their own and without inputs that are too large
 */
export function deriveInputs(
  definition: CompiledDefinition,
  data: unknown,
  journal: ReadonlyMap<string, JournalRecord>,
  wanted: ReadonlySet<string>,
): Map<string, unknown> {
  const inputs = new Map<string, unknown>();
  const observer = (path: string, render: () => unknown) => {
    if (!wanted.has(path)) return;
    try {
      const input = render();
      // Through JSON, which writes secrets as `[redacted]`.
      if (!exceedsSize(input, inputSizeMax))
        inputs.set(path, redactStepInput(parseExactJson(toJson(input))));
    } catch {
      // The step failed for the same reason, and its entry records it.
    }
  };
  const budget = new ComputeBudget(readerCostMax);
  const interpretation = new Interpretation(journal, { observer, budget });
  interpretation.start(definition, data);
  return inputs;
}
