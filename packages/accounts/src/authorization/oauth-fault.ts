/** The error codes of RFC 6749, RFC 7591 and RFC 8707 that the routes below `/oauth` answer with. */
export type OAuthFaultCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_grant_type"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** An error for an OAuth client, which reads the form of RFC 6749 and not the envelope of the APIs. */
export class OAuthFault extends Error {
  readonly code: OAuthFaultCode;

  constructor(code: OAuthFaultCode, description: string) {
    super(description);
    this.name = "OAuthFault";
    this.code = code;
  }
}

/** The same error for every code and refresh token that cannot be used. */
export function grantRefused(): OAuthFault {
  return new OAuthFault(
    "invalid_grant",
    "The code or refresh token is unknown, expired, used, or was issued to another client",
  );
}
