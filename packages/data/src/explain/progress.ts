import type { Parameter } from "@rowhouse/db";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { Statement } from "../compile/statement.ts";
import type { Target } from "../parse/request.ts";
import type { Plan } from "../plan/plan-request.ts";

/** The pipeline stages at which a request can be refused, in their order. */
export type ExplainStage =
  | "PARSE"
  | "AUTHENTICATE"
  | "PLAN"
  | "AUTHORIZE"
  | "COMPILE"
  | "BIND"
  | "ROW";

/** The account in question. */
export interface ExplainedAccount {
  readonly active: boolean;
  /** True for an account on whose behalf workflows act; it cannot sign in. */
  readonly isSystem: boolean;
}

/** The results of the stages that a request has passed. */
export interface Progress {
  stage: ExplainStage;
  readonly account: ExplainedAccount;
  target?: Target;
  plan?: Plan;
  authorized?: AuthorizedPlan;
  statement?: Statement;
  parameters?: readonly Parameter[];
}
