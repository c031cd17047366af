export { type DocumentOptions, formatVersion, rootFile } from "./documents/read-documents.ts";
export {
  applyPlan,
  jsonSchemas,
  planConfiguration,
  readConfiguration,
  readDrift,
  readManaged,
} from "./loaded.ts";
export { driftKinds } from "./model/document.ts";
export { type Services, stepKinds } from "./model/part.ts";
export type { Applied, ApplyRequest } from "./plan/apply.ts";
export type { Drift, DriftedFile, LastApply, ManagedDocument } from "./plan/drift.ts";
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
