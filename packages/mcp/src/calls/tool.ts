import type { Settings } from "@rowhouse/settings";
import type { z } from "zod";
import type { RowWriteDependencies } from "../backend/row-writes.ts";
import type { SqlRunDependencies } from "../backend/sql-runs.ts";
import type { ToolCall } from "../backend/tool-call.ts";
import type { WorkflowRunDependencies } from "../backend/workflow-runs.ts";
import type { McpAccess, McpIdentity } from "../base/access.ts";

/** The tools, in the order of `tools/list`. */
export const toolNames = [
  "search_resources",
  "read_rows",
  "aggregate_rows",
  "explain_access",
  "create_rows",
  "update_rows",
  "delete_rows",
  "run_workflow",
  "run_sql",
] as const;

export type ToolName = (typeof toolNames)[number];

export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** What the tools read and change. */
export type McpBackend = RowWriteDependencies & SqlRunDependencies & WorkflowRunDependencies;

/** The rights of one call, and what it works on. */
export interface ToolContext {
  readonly access: McpAccess;
  readonly backend: McpBackend;
  readonly call: ToolCall;
  /**
   * Returns the limit of a result, `mcp.max_result_bytes`. After a statement that proves itself it is the current one.
   */
  bytesMax(): Promise<number>;
}

export interface ToolResult {
  /** A JSON object as text, at most `mcp.max_result_bytes` of content in it. */
  readonly json: string;
  /** Number of rows, groups or resources. */
  readonly rows: number;
}

/** Hints for clients. Only workflows and SQL can reach anything but the rows of the database: `openWorldHint`. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * A tool. What it says of itself is constant: no text of the database is part of it.
 *
 * @typeParam Input the arguments after validation
 */
export interface Tool<Input = never> {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  /** The arguments; a strict object. */
  readonly input: z.ZodType<Input>;
  readonly output: ObjectSchema;
  readonly hints: ToolHints;
  /**
   * Whether the statement of the tool proves credential, rights and settings. Otherwise they are proven before the call.
   */
  readonly provesItself: boolean;
  /** Whether settings, kind of credential and scopes permit the tool; otherwise it does not exist. */
  isOffered(settings: Settings, identity: Pick<McpIdentity, "plane" | "scopes">): boolean;
  /** The resource that a call names, for the journal. */
  subjectOf(input: Input): string | null;
  /** @throws AppError with JSON pointers into the arguments */
  call(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** A tool as the registry holds it: its input is validated before the call. */
export type AnyTool = Omit<Tool, "input" | "subjectOf" | "call"> & {
  readonly input: z.ZodType;
  prepare(input: unknown): PreparedCall;
};

/** A call with valid arguments. */
export interface PreparedCall {
  readonly subject: string | null;
  run(context: ToolContext): Promise<ToolResult>;
}
