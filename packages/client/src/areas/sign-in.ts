import type { ApiOperations, SignedIn } from "../api/api-operations.generated.ts";
import { RowhouseError } from "../errors/rowhouse-error.ts";
import type { CallOptions } from "../request/client-options.ts";
import type { ClientCredential } from "../request/credential.ts";
import { clientError, type Transport } from "../request/transport.ts";
import type { Calls } from "./area.ts";

/** The body of a route of one's own account. */
export type Body<Key extends keyof ApiOperations> = ApiOperations[Key] extends {
  readonly body: infer T;
}
  ? T
  : never;

/** Routes that take no credential. A stale one would be rejected there. */
export const publicPaths = [
  "/auth/login",
  "/auth/register",
  "/auth/password/forgot",
  "/auth/password/reset",
  "/auth/email/verify",
  "/auth/email/resend",
  "/auth/invitations/read",
  "/auth/invitations/accept",
  "/auth/providers",
  "/auth/oauth/exchange",
];

/** Sign-in by address and password, and the session. */
export class SignIn {
  protected readonly api: Calls<ApiOperations>;
  readonly #credential: ClientCredential;
  readonly #transport: Transport;

  constructor(api: Calls<ApiOperations>, credential: ClientCredential, transport: Transport) {
    this.api = api;
    this.#transport = transport;
    this.#credential = credential;
  }

  /** The current session or token; null without one. */
  get session(): string | null {
    return this.#credential.secret;
  }

  /** @throws TypeError for a secret that cannot stand in a header */
  set session(secret: string | null) {
    this.#credential.secret = secret;
  }

  /** Signs in by address and password. The client uses the session from then on. */
  async signIn(body: Body<"POST /auth/login">, options: CallOptions = {}): Promise<SignedIn> {
    const path = "/auth/login";
    return this.begin(await this.api.post(path, { body, ...options }), path);
  }

  /** Ends the session. It is no failure if the session has ended before. */
  async signOut(options: CallOptions = {}): Promise<void> {
    const { secret } = this.#credential;
    try {
      await this.#transport.json({
        ...{ ...options, method: "POST", path: "/api/auth/logout" },
        ...{ repeatable: "ALWAYS", isRenewable: false },
      });
    } catch (error) {
      if (!(error instanceof RowhouseError) || error.code !== "AUTHENTICATION_REQUIRED")
        throw error;
    }
    // A sign-in meanwhile is another session.
    if (this.#credential.secret === secret) this.#credential.secret = null;
  }

  /** Returns the account of the credential, with its roles. */
  async me(options: CallOptions = {}) {
    return (await this.api.get("/auth/me", options)).data;
  }

  /** Uses the session of a response from then on. */
  protected begin({ data }: { readonly data?: SignedIn }, path: string): SignedIn {
    if (typeof data?.token !== "string") {
      const place = { method: "POST", path: `/api${path}` };
      throw clientError(place, 200, "RESPONSE_INVALID", "The response has no session");
    }
    this.#credential.secret = data.token;
    return data;
  }
}
