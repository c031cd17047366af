import { createError } from "@rowhouse/errors";
import { withoutTrailingSlashes } from "@rowhouse/settings";

/** The public addresses of the authorization server and of the MCP server that it serves. */
export interface AuthorizationAddresses {
  /** The base URL of the installation, without a slash at its end. */
  readonly issuer: string;
  /** The MCP server, as clients name it in `resource` (RFC 8707). */
  readonly resource: string;
  /** The description of the MCP server (RFC 9728). */
  readonly resourceMetadata: string;
}

/** Returns the addresses below the base URL of an installation. */
export function authorizationAddresses(base: string): AuthorizationAddresses {
  const issuer = withoutTrailingSlashes(base);
  return {
    issuer,
    resource: `${issuer}/mcp`,
    resourceMetadata: `${issuer}/.well-known/oauth-protected-resource/mcp`,
  };
}

/** The same. @throws AppError SERVICE_UNAVAILABLE if no base URL is known */
export async function requireAddresses(
  publicUrl: () => Promise<string | null>,
): Promise<AuthorizationAddresses> {
  const base = await publicUrl();
  if (base === null) {
    throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "60" } });
  }
  return authorizationAddresses(base);
}

/** Whether a client names the MCP server, or nothing: there is no other resource. */
export function namesResource(
  { resource }: AuthorizationAddresses,
  asked: string | undefined,
): boolean {
  if (asked === undefined) return true;
  if (!URL.canParse(asked) || asked.includes("#")) return false;
  return new URL(asked).href.replace(/\/$/, "") === new URL(resource).href;
}
