import { parseExactJson } from "@rowhouse/json";
import { ComputeBudget, readerCostMax } from "../base/compute-budget.ts";
import { exceedsSize, isJsonObject, type JsonObject, toJson } from "../base/json.ts";
import type { CompiledDefinition } from "../definition/compiled.ts";
import { Interpretation } from "../interpret/interpret.ts";
import type { JournalRecord } from "../model/run.ts";
import { redacted } from "../secrets/secret-text.ts";
import { redactHeaders } from "../webhook/redact-input.ts";

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
        inputs.set(path, redact(parseExactJson(toJson(input))));
    } catch {
      // The step failed for the same reason, and its entry records it.
    }
  };
  const budget = new ComputeBudget(readerCostMax);
  const interpretation = new Interpretation(journal, { observer, budget });
  interpretation.start(definition, data);
  return inputs;
}

/**
 * The fields of `auth` that hold no credential. The other fields may come from an earlier step instead of a secret.
 */
const shownOfAuth: ReadonlySet<string> = new Set(["kind", "in", "name", "user"]);

const noMore = { redactHeaders: [], signature: null };

function redact(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const { headers, auth } = input;
  return {
    ...input,
    ...(isJsonObject(headers)
      ? { headers: redactHeaders(headers as Record<string, string>, noMore) }
      : {}),
    ...(isJsonObject(auth) ? { auth: redactAuth(auth) } : {}),
  };
}

function redactAuth(auth: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(auth).map(([key, value]) => [key, shownOfAuth.has(key) ? value : redacted]),
  );
}
