import type { Plane } from "@rowhouse/access";
import type { Settings } from "@rowhouse/settings";

/** The token behind a request, and its owner. */
export interface McpIdentity {
  readonly userId: string;
  readonly tokenId: string;
  readonly plane: Plane;
  readonly roleIds: readonly string[];
  /** The OAuth client that holds the token; null for a personal token. */
  readonly client: { readonly id: string; readonly name: string } | null;
  /** The scopes that the owner has approved: `read` always, `write`, `workflows`. Null for a personal token. */
  readonly scopes: readonly string[] | null;
}

/** The rights of a request: the settings of the installation and the token. */
export interface McpAccess {
  readonly settings: Settings;
  readonly identity: McpIdentity;
}

/** Reads the rights of one request. Both functions throw as a path that does not exist while MCP is disabled. */
export interface AccessSource {
  /**
   * Returns the rights from memory. They may be stale, so the statement of the tool must prove them.
   *
   * @throws AppError NOT_FOUND, AUTHENTICATION_REQUIRED
   */
  known(): Promise<McpAccess>;
  /**
   * Returns the rights of this moment, with one query.
   *
   * @throws AppError NOT_FOUND, AUTHENTICATION_REQUIRED
   */
  proven(): Promise<McpAccess>;
}
