import type { Revision } from "./run-conformance.ts";

/** A reason, and the checks of the conformance suite that fail for it, as `scenario/check`. */
export type ExpectedFailures = { readonly reason: string; readonly checks: readonly string[] };

const exampleResults: ExpectedFailures = {
  reason:
    "requires tools, resources and prompts of the suite's example server, such as one that returns a picture",
  checks: [
    "prompts-get-embedded-resource/prompts-get-embedded-resource",
    "prompts-get-simple/prompts-get-simple",
    "prompts-get-with-args/prompts-get-with-args",
    "prompts-get-with-image/prompts-get-with-image",
    "resources-read-binary/resources-read-binary",
    "resources-read-text/resources-read-text",
    "resources-templates-read/resources-templates-read",
    "tools-call-audio/tools-call-audio",
    "tools-call-embedded-resource/tools-call-embedded-resource",
    "tools-call-error/tools-call-error",
    "tools-call-image/tools-call-image",
    "tools-call-mixed-content/tools-call-mixed-content",
    "tools-call-simple-text/tools-call-simple-text",
    "tools-call-with-progress/tools-call-with-progress",
  ],
};

const completions: ExpectedFailures = {
  reason: "requires completions, an optional capability that this server does not state",
  checks: ["completion-complete/completion-complete"],
};

/** Of scenarios that the suite runs for this revision, scored or not. */
const revision2026: readonly ExpectedFailures[] = [
  exampleResults,
  completions,
  {
    reason: "requires a diagnostic tool of the suite's example server",
    checks: [
      "json-schema-2020-12/json-schema-2020-12-tool-found",
      "server-stateless/sep-2575-http-server-no-independent-requests-on-stream",
      "server-stateless/sep-2575-missing-capability-http-400",
      "server-stateless/sep-2575-server-no-log-without-loglevel",
      "server-stateless/sep-2575-server-rejects-undeclared-capability",
    ],
  },
  {
    reason: "requires tools that ask the person or the model; no tool of this server does",
    checks: [
      "input-required-result-basic-elicitation/sep-2322-elicitation-incomplete",
      "input-required-result-basic-list-roots/sep-2322-list-roots-incomplete",
      "input-required-result-basic-sampling/sep-2322-sampling-incomplete",
      "input-required-result-capability-check/sep-2322-respect-client-capabilities",
      "input-required-result-multi-round/sep-2322-multi-round-r1",
      "input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete",
      "input-required-result-non-tool-request/sep-2322-non-tool-incomplete",
      "input-required-result-request-state/sep-2322-request-state-incomplete",
      "input-required-result-result-type/sep-2322-result-type-included",
      "input-required-result-tampered-state/sep-2322-reject-tampered-state",
    ],
  },
  {
    reason:
      "requires a tool that repeats arguments as headers; no schema of this server asks for it",
    checks: [
      "http-custom-header-server-validation/sep-2243-server-decode-base64",
      "http-custom-header-server-validation/sep-2243-server-no-xmcp-tool",
      "http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars",
      "http-custom-header-server-validation/sep-2243-server-reject-param-mismatch",
      "http-custom-header-server-validation/sep-2243-server-validate-param-match",
    ],
  },
  {
    reason:
      "requires the extension for tasks, which this server does not state; the suite does not score it",
    checks: [
      "tasks-capability-negotiation/sep-2663-server-rejects-undeclared-client",
      "tasks-capability-negotiation/sep-2663-tasks-methods-non-declaring",
      "tasks-capability-negotiation/tasks-extension-advertised",
      "tasks-capability-negotiation/tasks-per-request-meta-opt-in",
      "tasks-dispatch-and-envelope/sep-2663-durable-create-strong-consistency",
      "tasks-dispatch-and-envelope/sep-2663-legacy-task-param-ignored",
      "tasks-dispatch-and-envelope/sep-2663-tasks-get-invalid-task-id-32602",
      "tasks-dispatch-and-envelope/tasks-immediate-result-shortcut",
      "tasks-dispatch-and-envelope/tasks-result-type-complete-on-non-task-responses",
      "tasks-dispatch-and-envelope/tasks-server-directed-creation-no-hint",
      "tasks-lifecycle/sep-2663-cancel-ack-empty-result",
      "tasks-lifecycle/sep-2663-result-type-task-on-create",
      "tasks-lifecycle/sep-2663-tasks-get-status-completed",
      "tasks-lifecycle/sep-2663-tasks-get-status-failed",
      "tasks-lifecycle/sep-2663-tasks-get-status-working",
      "tasks-lifecycle/sep-2663-tool-error-uses-completed-status",
      "tasks-lifecycle/tasks-cancel-terminal-idempotent-ack",
      "tasks-lifecycle/tasks-sync-tool-call",
      "tasks-mrtr-composition/sep-2663-mrtr-synchronous-before-task-creation",
      "tasks-mrtr-input/sep-2663-tasks-get-status-input-required",
      "tasks-mrtr-input/tasks-mrtr-partial-fulfillment",
      "tasks-mrtr-input/tasks-mrtr-tasks-update-resumes",
      "tasks-request-headers/sep-2663-routing-headers-accepted-on-tasks-get",
      "tasks-request-headers/sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
      "tasks-request-headers/tasks-headers-tolerate-mcp-method-on-tools-call",
      "tasks-request-state-removal/tasks-request-state-removal-setup",
      "tasks-required-task-error/sep-2663-server-returns-missing-capability-when-required",
      "tasks-wire-fields/tasks-no-early-ttl-expiry",
      "tasks-wire-fields/tasks-no-related-task-meta-on-inlined-result",
      "tasks-wire-fields/tasks-wire-field-renames",
    ],
  },
];

const revision2025: readonly ExpectedFailures[] = [
  exampleResults,
  completions,
  {
    reason:
      "requires messages or questions to the client, which need a session; this server has none",
    checks: [
      "elicitation-sep1034-defaults/elicitation-sep1034-general",
      "elicitation-sep1330-enums/elicitation-sep1330-general",
      "logging-set-level/logging-set-level",
      "resources-subscribe/resources-subscribe",
      "resources-unsubscribe/resources-unsubscribe",
      "tools-call-elicitation/tools-call-elicitation",
      "tools-call-sampling/tools-call-sampling",
      "tools-call-with-logging/tools-call-with-logging",
    ],
  },
];

/** What the suite may find, by revision: each is a feature that is optional or that only an example server has. */
export const expectedFailures: Readonly<Record<Revision, readonly ExpectedFailures[]>> = {
  "2026-07-28": revision2026,
  "2025-11-25": revision2025,
};
