import type { TokenScope } from "../tokens/token.ts";
import type { AuthorizationAddresses } from "./addresses.ts";

/** What the settings permit. */
export interface AuthorizationOffer {
  /** The scopes that clients may ask for. */
  readonly scopes: readonly TokenScope[];
  /** Whether clients may register themselves. */
  readonly registration: boolean;
}

/** Returns the metadata of the authorization server (RFC 8414). */
export function serverMetadata(
  { issuer, resource }: AuthorizationAddresses,
  offer: AuthorizationOffer,
) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/admin/auth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...(offer.registration ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
    scopes_supported: offer.scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resource],
  };
}

/** Returns the metadata of the MCP server as a protected resource (RFC 9728). */
export function resourceMetadata(
  { issuer, resource }: AuthorizationAddresses,
  offer: AuthorizationOffer,
) {
  return {
    resource,
    resource_name: "Rowhouse",
    authorization_servers: [issuer],
    scopes_supported: offer.scopes,
    bearer_methods_supported: ["header"],
  };
}
