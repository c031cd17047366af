import type { Parameter } from "@rowhouse/db";
import type { AuthorizedPlan } from "../authorize/authorize-plan.ts";
import type { Statement } from "../compile/statement.ts";
import type { parseAddress } from "../parse/parse-request.ts";
import type { Plan } from "../plan/plan-request.ts";

/** Where a request was refused: the stages of the pipeline, in their order. */
export type ExplainStage = "PARSE" | "AUTHENTICATE" | "PLAN" | "AUTHORIZE" | "COMPILE" | "BIND";

/** The account that is asked about. */
export interface ExplainedAccount {
  readonly active: boolean;
  /** One that workflows act for, and no one signs in to. */
  readonly isSystem: boolean;
}

/** How far a request has come. */
export interface Progress {
  stage: ExplainStage;
  readonly account: ExplainedAccount;
  target?: ReturnType<typeof parseAddress>["target"];
  plan?: Plan;
  authorized?: AuthorizedPlan;
  statement?: Statement;
  parameters?: readonly Parameter[];
}
