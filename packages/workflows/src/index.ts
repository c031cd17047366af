export type { RunError } from "./base/run-fault.ts";
export { type Compilation, compileDefinition } from "./compile/compile-definition.ts";
export type { DefinitionChange } from "./compile/diff-definitions.ts";
export { parseDefinition } from "./compile/parse-definition.ts";
export type { Shape } from "./completion/shape.ts";
export {
  type Definition,
  type DefinitionInput,
  type Step,
  workflowNameSchema,
} from "./definition/definition.ts";
export {
  describeStepKinds,
  type KindBranch,
  type StepKind,
  type StepKinds,
  type TriggerKind,
} from "./definition/step-kinds.ts";
export { cronSchema } from "./definition/trigger.ts";
export { withoutDefaults } from "./definition/without-defaults.ts";
export type { RunMail, RunMails } from "./effect/effect-deps.ts";
export type { RunFile, RunFiles, UploadInput } from "./effect/run-files.ts";
export { countPendingEvents } from "./event/count-pending-events.ts";
export {
  type DispatcherDeps,
  type EventDispatcher,
  startEventDispatcher,
} from "./event/start-dispatcher.ts";
export { type ListStepsRequest, listRunSteps, type StepRecord } from "./history/list-run-steps.ts";
export {
  type ListRunsRequest,
  listRuns,
  RunCursor,
  type RunFilter,
  type RunOrder,
  type RunSummary,
} from "./history/list-runs.ts";
export {
  cancelRun,
  type RunDetail,
  readRun,
  readRunDefinition,
  requireRun,
} from "./history/read-run.ts";
export { type AgainRequest, runAgain } from "./history/run-again.ts";
export {
  type RunStartedBy,
  startRun,
  type TestRequest,
  testWorkflow,
} from "./history/start-run.ts";
export { watchRun } from "./history/watch-run.ts";
export {
  createWorkflow,
  deleteWorkflow,
  requireDraft,
  setWorkflowEnabled,
  updateWorkflow,
  type WorkflowInput,
} from "./manage/change-workflow.ts";
export {
  type CheckDeps,
  type CheckedDefinition,
  type CheckedFault,
  checkDefinition,
  checkEnabledWorkflows,
} from "./manage/check-definition.ts";
export {
  type CompletionRequest,
  type Completions,
  completeStep,
} from "./manage/complete-step.ts";
export {
  type Example,
  type ExampleSource,
  type ExampleSummary,
  listExamples,
  pinExample,
  readExample,
  requireStepId,
  unpinExample,
} from "./manage/examples.ts";
export {
  addInvokeGrant,
  type InvokeGrant,
  listInvokeGrants,
  removeInvokeGrant,
} from "./manage/invoke-grants.ts";
export {
  publishWorkflow,
  requirePublishable,
  rollBackWorkflow,
} from "./manage/publish-workflow.ts";
export { readWorkflowOverview } from "./manage/read-overview.ts";
export {
  createSample,
  deleteSample,
  listSamples,
  readSample,
  type Sample,
  type SampleSource,
  type SampleSummary,
  updateSample,
} from "./manage/samples.ts";
export {
  diffVersions,
  type Edition,
  listVersions,
  readVersion,
  type Version,
  type VersionSummary,
} from "./manage/versions.ts";
export { addWatcher, listWatchers, removeWatcher } from "./manage/watchers.ts";
export {
  listWorkflows,
  requireWorkflow,
  tagOfWorkflow,
  type Workflow,
} from "./manage/workflow.ts";
export type { EndedRun, RunOrigin, RunStatus, StepStatus, TerminalStatus } from "./model/run.ts";
export {
  type ConnectionOptions,
  openRunStarter,
  openWorkerConnections,
  openWorkflowConnections,
  type RunStarter,
  type WorkerConnections,
  type WorkflowConnections,
} from "./open-connections.ts";
export { createGuardedFetch, type GuardedFetch } from "./outgoing/guarded-fetch.ts";
export { sendRequest } from "./outgoing/send-request.ts";
export { wakeForRun } from "./queue/hand-off.ts";
export { migrateQueue } from "./queue/migrate-queue.ts";
export { queueConnections } from "./queue/open-queue.ts";
export { reportFailures } from "./queue/report-failures.ts";
export type { QueueServer, WakeUp, WakeUpQueue } from "./queue/wake-up-queue.ts";
export type { ReplyBus } from "./reply/reply-bus.ts";
export type { RunWaiter } from "./reply/run-waiter.ts";
export { trialsMax } from "./run/execute-trial.ts";
export type { VersionCache } from "./run/version-cache.ts";
export { type PreviewedSchedule, previewSchedule } from "./schedule/preview-schedule.ts";
export {
  type NewSecret,
  type SecretDeps,
  type StoredSecret,
  type StoredSecrets,
  secretsOfProviders,
  secretsOfWorkflows,
} from "./secrets/manage-secrets.ts";
export { sealedColumnsOfWorkflows } from "./secrets/sealed-columns.ts";
export { secretNameForm } from "./secrets/secret-name.ts";
export {
  bindProviderSecret,
  createSecretReader,
  loadProviderSecret,
  type ProviderSecret,
} from "./secrets/secret-reader.ts";
export { listTools, type ToolQuery, type WorkflowTool } from "./tool/list-tools.ts";
export { runTool, type WorkflowToolCall } from "./tool/run-tool.ts";
export {
  acceptWebhook,
  type WebhookAnswer,
  type WebhookDeps,
} from "./webhook/accept-webhook.ts";
export { readRunResult } from "./webhook/read-run-result.ts";
export { settingsIn, type WebhookCaller, type WebhookRequest } from "./webhook/webhook-call.ts";
export { countOpenRuns, type OpenRuns } from "./worker/count-open-runs.ts";
export { mailFailures } from "./worker/mail-failures.ts";
export { purgeHistory, reconcileRuns } from "./worker/reconcile.ts";
export { type RunWorker, type RunWorkerDeps, startRunWorker } from "./worker/run-worker.ts";
export { startTimers, type TimerDeps } from "./worker/start-timers.ts";
