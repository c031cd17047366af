import type { EffectDeps } from "../effect/effect-deps.ts";
import type { Claim } from "../model/run.ts";
import type { TrialFiles } from "./trial-files.ts";
import type { TrialRows } from "./trial-rows.ts";

/** What the steps of a trial use. Nothing in it can send. */
export interface TrialDeps
  extends Pick<EffectDeps, "database" | "rows" | "documents" | "hostRules"> {}

export interface TrialContext {
  readonly deps: TrialDeps & { readonly files: TrialFiles };
  readonly claim: Claim;
  readonly rows: TrialRows;
  /** The secrets that steps of the definition use. */
  readonly secretNames: readonly string[];
}
