import {
  type AuthorizationDependencies,
  type AuthorizationOffer,
  exchangeCode,
  namesResource,
  OAuthFault,
  refreshSecrets,
  registerClient,
  requireAddresses,
  resourceMetadata,
  revokeSecret,
  serverMetadata,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import {
  decodeText,
  jsonValue,
  parseJson,
  readBodyBytes,
  readJsonBodyText,
  type Service,
  type ServiceEnvironment,
} from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import type { Context } from "hono";
import { authorizationOffer } from "../caller/authorization-offer.ts";
import { originOf } from "../caller/request-headers.ts";
import { throttleOAuthRoutes } from "../caller/throttle.ts";

export interface OAuthRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly rateLimits: RateLimits;
  readonly authorization: AuthorizationDependencies;
}

type Answer = (c: Context<ServiceEnvironment>, offer: AuthorizationOffer) => Promise<Response>;

const bodyBytesMax = 16_384;

/**
 * `/oauth/*` and the metadata of the authorization server and of the MCP server. OAuth clients read answers and errors
 * in the form of their standards, not in the envelope of the APIs. While OAuth is off, nothing is here.
 */
export function mountOAuthRoutes(service: Service, dependencies: OAuthRoutesDependencies): void {
  const { database, snapshots, authorization } = dependencies;
  const whileOn = (answer: Answer) => async (c: Context<ServiceEnvironment>) => {
    const { offer } = await authorizationOffer(snapshots);
    try {
      return await answer(c, offer);
    } catch (error) {
      if (!(error instanceof OAuthFault)) throw error;
      const body = { error: error.code, error_description: error.message };
      if (error.code !== "invalid_client") return jsonValue(400, body, c.env.edge.requestId);
      // Required if the client tried to authenticate by the header (RFC 6749, section 5.2).
      const challenge: Record<string, string> =
        c.req.header("authorization") === undefined ? {} : { "WWW-Authenticate": "Basic" };
      return jsonValue(401, body, c.env.edge.requestId, challenge);
    }
  };
  const addresses = () => requireAddresses(authorization.publicUrl);
  const send = (c: Context<ServiceEnvironment>, value: unknown, status = 200) =>
    jsonValue(status, value, c.env.edge.requestId);

  service.get(
    "/.well-known/oauth-authorization-server",
    whileOn(async (c, offer) => send(c, serverMetadata(await addresses(), offer))),
  );
  service.get(
    "/.well-known/oauth-protected-resource/mcp",
    whileOn(async (c, offer) => send(c, resourceMetadata(await addresses(), offer))),
  );

  throttleOAuthRoutes(service, dependencies);
  service.post(
    "/oauth/token",
    whileOn(async (c) => {
      const form = await readOAuthForm(c.req.raw, bodyBytesMax);
      if (!namesResource(await addresses(), form.optional("resource"))) {
        throw new OAuthFault("invalid_target", "resource must be the MCP server");
      }
      return send(c, await grant(database, form, c));
    }),
  );
  service.post(
    "/oauth/revoke",
    whileOn(async (c) => {
      const form = await readOAuthForm(c.req.raw, bodyBytesMax);
      const [clientId, secret] = [form.required("client_id"), form.required("token")];
      await revokeSecret(database, { clientId, secret }, originOf(c));
      return send(c, {});
    }),
  );
  service.post(
    "/oauth/register",
    whileOn(async (c, { registration }) => {
      if (!registration) throw createError("NOT_FOUND");
      const text = await readJsonBodyText(c.req.raw, { bytesMax: bodyBytesMax });
      const asked = { body: parseJson(text), publicUrl: await authorization.publicUrl() };
      return send(c, await registerClient(database, asked, originOf(c)), 201);
    }),
  );
}

function grant(database: Database, form: OAuthForm, c: Context<ServiceEnvironment>) {
  const clientId = form.required("client_id");
  switch (form.required("grant_type")) {
    case "authorization_code": {
      const exchange = {
        clientId,
        code: form.required("code"),
        redirectUri: form.required("redirect_uri"),
        codeVerifier: form.required("code_verifier"),
      };
      return exchangeCode(database, exchange, originOf(c));
    }
    case "refresh_token": {
      const refreshToken = form.required("refresh_token");
      const exchange = { clientId, refreshToken, scope: form.optional("scope") };
      return refreshSecrets(database, exchange, originOf(c));
    }
    default:
      throw new OAuthFault(
        "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token",
      );
  }
}

/** The parameters of a request of an OAuth client; each occurs once, and one without a value is absent (RFC 6749, 3.2). */
interface OAuthForm {
  /** @throws OAuthFault invalid_request */
  required(name: string): string;
  optional(name: string): string | undefined;
}

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/**
 * Reads the form of a public client.
 *
 * @throws OAuthFault invalid_request; invalid_client for a client that sends a credential, because none has one, and for
 * a header that names another client than the form; AppError BODY_TOO_LARGE
 */
async function readOAuthForm(request: Request, bytesMax: number): Promise<OAuthForm> {
  if (!formType.test(request.headers.get("content-type") ?? "")) {
    throw new OAuthFault("invalid_request", "The body must be application/x-www-form-urlencoded");
  }
  const parameters = new URLSearchParams(await readText(request, bytesMax));
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) {
    throw new OAuthFault("invalid_request", "A parameter occurs more than once");
  }
  const ofHeader = clientOf(request.headers.get("authorization") ?? "");
  const optional = (name: string) => parameters.get(name) || undefined;
  const clientId = optional("client_id") ?? ofHeader;
  if (
    ofHeader === null ||
    (ofHeader !== undefined && ofHeader !== clientId) ||
    optional("client_secret") !== undefined ||
    optional("client_assertion") !== undefined
  ) {
    throw new OAuthFault("invalid_client", "Clients are public: they send client_id alone");
  }
  if (clientId != null) parameters.set("client_id", clientId);
  return {
    optional,
    required: (name) => {
      const value = optional(name);
      if (value === undefined) throw new OAuthFault("invalid_request", `${name} is required`);
      return value;
    },
  };
}

/**
 * The client that HTTP Basic names with an empty password, as some libraries send a public client (RFC 6749, section
 * 2.3.1); undefined for an empty header, null for a credential.
 */
function clientOf(header: string): string | undefined | null {
  if (header.trim() === "") return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
  // The id is form-encoded. That of a document has colons, and some libraries send it as it is.
  if (!/^[^\0]+:$/.test(text)) return null;
  return new URLSearchParams(`id=${text.slice(0, -1)}`).get("id");
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
