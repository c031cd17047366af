import { OAuthFault } from "@rowhouse/accounts";
import { AppError } from "@rowhouse/errors";
import { decodeText, readBodyBytes } from "@rowhouse/http";

/** The parameters of a request of an OAuth client; each occurs once (RFC 6749, 3.2). */
export interface OAuthForm {
  /** @throws OAuthFault invalid_request */
  required(name: string): string;
  /** An empty parameter counts as absent. */
  optional(name: string): string | undefined;
}

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/**
 * Reads the form of a public client.
 *
 * @throws OAuthFault invalid_request; invalid_client for a client that sends a credential, because none has one;
 * AppError BODY_TOO_LARGE
 */
export async function readOAuthForm(request: Request, bytesMax: number): Promise<OAuthForm> {
  if (!formType.test(request.headers.get("content-type") ?? "")) {
    throw new OAuthFault("invalid_request", "The body must be application/x-www-form-urlencoded");
  }
  const parameters = new URLSearchParams(await readText(request, bytesMax));
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) {
    throw new OAuthFault("invalid_request", "A parameter occurs more than once");
  }
  if (
    request.headers.has("authorization") ||
    parameters.has("client_secret") ||
    parameters.has("client_assertion")
  ) {
    throw new OAuthFault("invalid_client", "Clients are public: they send client_id alone");
  }
  const optional = (name: string) => parameters.get(name) || undefined;
  return {
    optional,
    required: (name) => {
      const value = optional(name);
      if (value === undefined) throw new OAuthFault("invalid_request", `${name} is required`);
      return value;
    },
  };
}

async function readText(request: Request, bytesMax: number): Promise<string> {
  try {
    return decodeText(await readBodyBytes(request, { bytesMax }));
  } catch (error) {
    if (error instanceof AppError && error.code === "BODY_INVALID") {
      throw new OAuthFault("invalid_request", "The body must be UTF-8 text");
    }
    throw error;
  }
}
