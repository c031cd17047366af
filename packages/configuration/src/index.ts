export { type DocumentOptions, formatVersion, rootFile } from "./documents/read-documents.ts";
export { type Services, stepKinds } from "./model/part.ts";
export { jsonSchemas } from "./parts/parts.ts";
export { type Applied, type ApplyRequest, applyPlan } from "./plan/apply.ts";
export {
  type Drift,
  type DriftedFile,
  driftKinds,
  type LastApply,
  type ManagedDocument,
  readConfiguration,
  readDrift,
  readManaged,
} from "./plan/drift.ts";
export { planConfiguration } from "./plan/plan.ts";
export type { FieldChange, PlannedStep } from "./plan/plan-answer.ts";
export type { Files } from "./plan/read-configuration.ts";
export { type Plan, type PlanState, readStoredPlan } from "./plan/stored-plans.ts";
export type { Caller } from "./plan/transaction.ts";
export { configurationConnections, Turns } from "./plan/turns.ts";
export {
  createSample,
  loadSample,
  readSampleState,
  removeSample,
  type SampleState,
} from "./sample/sample.ts";
