import { parseExactJson } from "@rowhouse/json";
import { ComputeBudget, readerCostMax } from "../base/compute-budget.ts";
import { exceedsSize, isJsonObject, type JsonObject, toJson } from "../base/json.ts";
import type { CompiledDefinition } from "../definition/compiled.ts";
import { Interpretation } from "../interpret/interpret.ts";
import type { JournalRecord } from "../model/run.ts";
import { redacted } from "../secrets/secret-text.ts";
import { redactHeaders } from "../webhook/redact-input.ts";

/** Characters of JSON, about: a larger input is left out. */
const inputSizeMax = 65_536;

/**
 * What steps were given, their templates filled in: the definition is run over the journal once more, which holds
 * everything that it followed from. Secrets are not known here, so none can be in it, and neither is a credential that
 * stands where credentials stand.
 *
 * @param wanted the paths of those steps
 * @returns by path; without steps that have no input of their own, and those whose input is too large to be shown
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
      // As JSON, so that what may not be shown is written as such.
      if (!exceedsSize(input, inputSizeMax))
        inputs.set(path, redact(parseExactJson(toJson(input))));
    } catch {
      // The step failed for the same reason, and its entry tells it.
    }
  };
  const budget = new ComputeBudget(readerCostMax);
  const interpretation = new Interpretation(journal, { observer, budget });
  interpretation.start(definition, data);
  return inputs;
}

/** What a request says to tell who sends it may come from an earlier step as well as from a secret. */
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
