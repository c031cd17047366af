import type { Caller } from "@rowhouse/access";

/** The caller of a tool. */
export interface ToolCall {
  readonly caller: Caller;
  /** Whether the caller has left; a read ends then. */
  readonly isAbandoned: () => boolean;
  /** Returns the signal that the caller has left. */
  readonly signal: () => AbortSignal;
}

export interface ResourceName {
  readonly schema: string;
  readonly name: string;
}
