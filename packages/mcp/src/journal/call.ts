/** How a call ended. REFUSED: the caller, its arguments or its rights were rejected. FAILED: the service failed. */
export type McpCallOutcome = "SUCCEEDED" | "REFUSED" | "FAILED";

/** A call of the MCP server, as the server reports it. It holds no argument and no value of a row. */
export interface McpCall {
  /** When the call arrived. */
  readonly at: Date;
  readonly userId: string;
  readonly tokenId: string;
  /** The name that the client gives itself. */
  readonly clientName: string | null;
  /** The method of the protocol, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool, as the caller sent it; null for other methods. */
  readonly tool: string | null;
  readonly outcome: McpCallOutcome;
  /** The code of the error; null for a call that succeeded. */
  readonly code: string | null;
  readonly durationMs: number;
  /** The number of returned or affected rows; null for tools without rows. */
  readonly rows: number | null;
  /** The size of the result in bytes. */
  readonly bytes: number | null;
  /** The table, view or workflow that the arguments name. */
  readonly resource: string | null;
}

/** Receives each call after its response is complete. It must not throw and must not wait. */
export type McpObserver = (call: McpCall) => void;

export interface RecordedMcpCall extends Omit<McpCall, "at"> {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** The name of the person, or the email address of a person without one; null for a deleted person. */
  readonly userName: string | null;
  /** Null for a deleted token. */
  readonly tokenName: string | null;
}

/** Conditions on calls; null for no restriction. */
export interface McpCallFilter {
  readonly tool: string | null;
  readonly outcome: McpCallOutcome | null;
  readonly userId: string | null;
  readonly tokenId: string | null;
}
