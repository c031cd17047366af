/** One request to the MCP server, for the journal. */
export interface McpCallRecord {
  readonly at: Date;
  readonly userId: string;
  readonly tokenId: string;
  /** The name that the OAuth client registered, or that the client states of itself. */
  readonly clientName: string | null;
  /** The method of JSON-RPC: `tools/call`. */
  readonly method: string;
  readonly tool: string | null;
  /** `REFUSED`: by an error of the contract; `FAILED`: by an unexpected one. */
  readonly outcome: "SUCCEEDED" | "REFUSED" | "FAILED";
  /** The code of the error; null on success. */
  readonly code: string | null;
  readonly durationMs: number;
  /** Number of rows, groups or resources; null if the request returns none. */
  readonly rows: number | null;
  /** Size of the response. */
  readonly bytes: number;
  /** The resource, workflow or schema that the call names. */
  readonly resource: string | null;
}

/** Receives each request after its response is complete. It must not throw and must not wait. */
export type McpObserver = (record: McpCallRecord) => void;
