import type { DefinitionInput } from "@rowhouse/workflows";

/** A workflow under load, and the permitted results of its runs. */
export interface LoadedWorkflow {
  readonly slug: string;
  readonly definition: DefinitionInput;
  /** The rows of a succeeded run, by the path that wrote them. */
  readonly rows: readonly string[];
  /** The error codes with which a run may fail without a fault. */
  readonly faults: readonly string[];
  readonly mayBeCancelled: boolean;
  /** Whether callers call it; otherwise other workflows do. */
  readonly isCalled: boolean;
  readonly isPublic: boolean;
}

type StepInput = DefinitionInput["steps"][number];
type Trigger = Extract<DefinitionInput["trigger"], { kind: "webhook" }>;

const token = "{{start.data.body.token}}";

/** Requests to the counting server; each names the run's token. */
export const paths = { post: "/post", flaky: "/flaky", broken: "/broken" } as const;

const later = { response: "ASYNCHRONOUS" } as const;
const end: StepInput = { id: "end", kind: "finish", result: { token } };

interface Workshop {
  readonly workflow: (
    slug: string,
    trigger: Partial<Trigger>,
    rows: readonly string[],
    steps: (row: (path: string, label?: string) => StepInput) => StepInput[],
    more?: Partial<LoadedWorkflow>,
  ) => LoadedWorkflow;
  /** A step that requests a path of the counting server. */
  readonly request: (id: string, path: string, more: object) => StepInput;
}

/** Every kind of work whose repetition or loss is visible. */
export function loadedWorkflows(executeAs: string, countingUrl: string): LoadedWorkflow[] {
  const workshop: Workshop = {
    workflow: (...parts) => createWorkflow(executeAs, ...parts),
    request: (id, path, more) => ({
      id,
      kind: "httpRequest",
      url: `${countingUrl}${path}`,
      headers: { "x-token": token },
      ...more,
    }),
  };
  return [...workflowsOfRows(workshop), ...workflowsOfOthers(workshop)];
}

function createWorkflow(
  executeAs: string,
  slug: string,
  trigger: Partial<Trigger>,
  rows: readonly string[],
  steps: (row: (path: string, label?: string) => StepInput) => StepInput[],
  more: Partial<LoadedWorkflow> = {},
): LoadedWorkflow {
  const row = (id: string, path = id): StepInput => ({
    id,
    kind: "createRow",
    table: "effect",
    values: { token, workflow: slug, path },
  });
  const isPublic = more.isPublic ?? false;
  return {
    slug,
    rows,
    faults: [],
    mayBeCancelled: false,
    isCalled: true,
    isPublic,
    ...more,
    definition: {
      trigger: {
        kind: "webhook",
        access: isPublic ? "PUBLIC" : "AUTHENTICATED",
        executeAs,
        ...trigger,
      },
      steps: steps(row),
    },
  };
}

/** Workflows that only write rows, apart from one request that fails. */
function workflowsOfRows({ workflow, request }: Workshop): LoadedWorkflow[] {
  return [
    workflow("rows", {}, ["first", "second"], (row) => [row("first"), row("second"), end]),
    workflow(
      "open-rows",
      {},
      ["first", "second"],
      (row) => [
        row("first"),
        request("get", paths.broken, { onError: "continue" }),
        row("second"),
        end,
      ],
      { isPublic: true },
    ),
    workflow("rests", later, ["before", "after"], (row) => [
      row("before"),
      { id: "rest", kind: "delay", seconds: 1 },
      row("after"),
      end,
    ]),
    workflow("loop", later, ["item-0", "item-1", "item-2", "item-3", "item-4", "last"], (row) => [
      {
        id: "each",
        kind: "forEach",
        items: [0, 1, 2, 3, 4],
        concurrency: 2,
        steps: [row("row", "item-{{index}}")],
      },
      row("last"),
      end,
    ]),
  ];
}

/** Workflows that start others, send requests, or are canceled. */
function workflowsOfOthers({ workflow, request }: Workshop): LoadedWorkflow[] {
  return [
    workflow("parent", {}, ["before", "after"], (row) => [
      row("before"),
      { id: "child", kind: "runWorkflow", workflow: "child", input: { body: { token } } },
      row("after"),
      end,
    ]),
    workflow(
      "child",
      later,
      ["one", "two"],
      (row) => [row("one"), { id: "rest", kind: "delay", seconds: 0.3 }, row("two"), end],
      { isCalled: false },
    ),
    workflow(
      "posts",
      later,
      ["before", "after"],
      (row) => [row("before"), request("post", paths.post, { method: "POST" }), row("after"), end],
      { faults: ["STEP_OUTCOME_UNKNOWN"] },
    ),
    workflow("repeats", {}, ["after"], (row) => [
      request("put", paths.flaky, {
        method: "PUT",
        retry: { attempts: 5, delayMs: 200, backoff: "fixed", statuses: [503] },
      }),
      row("after"),
      end,
    ]),
    workflow(
      "impatient",
      { waitSeconds: 1, onTimeout: "CANCEL" },
      ["before", "after"],
      (row) => [row("before"), { id: "rest", kind: "delay", seconds: 2 }, row("after"), end],
      { mayBeCancelled: true },
    ),
  ];
}
