import {
  type Authenticator,
  authenticationRequired,
  type Caller,
  type Principal,
  type PrincipalCache,
} from "@rowhouse/access";
import { authorizationAddresses } from "@rowhouse/accounts";
import type { SnapshotStore } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { AccessSource, McpAccess } from "./access.ts";

export interface McpAccessDependencies {
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
  readonly principals: PrincipalCache;
  /** The base URL of the installation. */
  readonly publicUrl: () => Promise<string | null>;
}

/** The headers of a request that decide whether it is admitted. */
export interface McpHeaders {
  readonly authorization: string | null;
  /** The page that sends the request; null outside a browser. */
  readonly origin: string | null;
}

/** Checks each request to the MCP server: enabled, permitted origin, a token. */
export interface McpGate extends AccessSource {
  /**
   * Requires that MCP is enabled and the origin permitted, by the settings in memory, or by current ones before a
   * refusal.
   *
   * @throws AppError NOT_FOUND, ACTION_DENIED
   */
  admit(): Promise<Settings>;
  /** Creates the error for a request without a token, by current settings. */
  challenge(): Promise<Error>;
}

/** Creates the gate of one request. */
export function createMcpGate(
  dependencies: McpAccessDependencies,
  { authorization, origin }: McpHeaders,
  caller: Caller | undefined,
): McpGate {
  const { snapshots, authenticator, principals } = dependencies;
  const requireAdmitted = async (settings: Settings): Promise<Settings> => {
    if (!settings["mcp.enabled"]) throw createError("NOT_FOUND");
    if (origin === null || settings["security.cors_origins"].includes(origin)) return settings;
    if (origin === originOf(await dependencies.publicUrl())) return settings;
    throw createError("ACTION_DENIED", { message: "This origin is not in security.cors_origins" });
  };
  const admitNow = async () => requireAdmitted(settingsOf(await snapshots.fresh()));
  const admit = async () => {
    const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
    return requireAdmitted(settings).catch(admitNow);
  };
  const challenge = async () => {
    const settings = await admitNow();
    const base = settings["mcp.oauth"] ? await dependencies.publicUrl() : null;
    return createError("AUTHENTICATION_REQUIRED", {
      message: "A personal access token is required; a session is not accepted",
      headers: { "WWW-Authenticate": challengeOf(base) },
    });
  };
  const proven = async (): Promise<McpAccess> => {
    try {
      const principal = await authenticator.authenticate(authorization, "MCP");
      const settings = settingsOf(await snapshots.current());
      return accessOf(await requireAdmitted(settings), principal);
    } catch (error) {
      throw error instanceof AppError && error.status === 401 ? await challenge() : error;
    }
  };
  return {
    admit,
    challenge,
    proven,
    known: async () => {
      const settings = await admit();
      const principal = caller === undefined ? undefined : await principals.find(caller);
      if (principal === undefined || !isServed(settings, principal)) return proven();
      return accessOf(settings, principal);
    },
  };
}

/** Whether the settings permit the credential: without OAuth, the access tokens of its clients are refused. */
function isServed(settings: Settings, { client }: Principal): boolean {
  return client === null || settings["mcp.oauth"];
}

function accessOf(settings: Settings, principal: Principal): McpAccess {
  const { userId, tokenId, plane, roleIds, client } = principal;
  if (tokenId === null || plane === null || !isServed(settings, principal)) {
    throw authenticationRequired();
  }
  return {
    settings,
    identity: { userId, tokenId, plane, roleIds, client, scopes: client?.scopes ?? null },
  };
}

/** Names the metadata of RFC 9728, from which a client finds the authorization server. */
function challengeOf(base: string | null): string {
  if (base === null) return "Bearer";
  return `Bearer resource_metadata="${authorizationAddresses(base).resourceMetadata}"`;
}

function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}
