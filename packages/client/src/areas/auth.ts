import type { ApiOperations, SignedIn } from "../api/api-operations.generated.ts";
import { RowhouseError } from "../errors/rowhouse-error.ts";
import type { CallOptions } from "../request/client-options.ts";
import type { ClientCredential } from "../request/credential.ts";
import { encodeSegment } from "../request/query.ts";
import { clientError, type Transport } from "../request/transport.ts";
import type { Calls } from "./area.ts";

type Body<Key extends keyof ApiOperations> = ApiOperations[Key] extends {
  readonly body: infer T;
}
  ? T
  : never;

export type ReturnOptions = CallOptions & {
  /** A page of another front end to which the link in the mail leads; one of `auth.return_addresses`. */
  readonly returnTo?: string | undefined;
};

export type ExchangeOptions = CallOptions & {
  /** That of `beginProvider`, for a sign-in that ends at another front end. */
  readonly codeVerifier?: string | undefined;
};

/** A sign-in through a provider that ends at another front end. */
export type ProviderSignIn = {
  /** Where the browser goes. */
  readonly url: string;
  /** Proves that this front end began the sign-in. Keep it in `sessionStorage` until the browser is back. */
  readonly codeVerifier: string;
};

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

/** Sign-in and the session. The remaining routes of one's account are those of the area `api`. */
export class Auth {
  readonly #api: Calls<ApiOperations>;
  readonly #credential: ClientCredential;
  readonly #transport: Transport;
  readonly #base: string;

  constructor(
    api: Calls<ApiOperations>,
    credential: ClientCredential,
    transport: Transport,
    base: string,
  ) {
    this.#api = api;
    this.#transport = transport;
    this.#credential = credential;
    this.#base = base;
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
    return this.#begin(await this.#api.post(path, { body, ...options }), path);
  }

  /** Accepts an invitation, and signs in. */
  async acceptInvitation(
    body: Body<"POST /auth/invitations/accept">,
    options: CallOptions = {},
  ): Promise<SignedIn> {
    const path = "/auth/invitations/accept";
    return this.#begin(await this.#api.post(path, { body, ...options }), path);
  }

  /** Exchanges the code of a provider's sign-in for a session. */
  async exchangeCode(
    code: string,
    { codeVerifier, ...options }: ExchangeOptions = {},
  ): Promise<SignedIn> {
    const path = "/auth/oauth/exchange";
    const body = codeVerifier === undefined ? { code } : { code, codeVerifier };
    return this.#begin(await this.#api.post(path, { body, ...options }), path);
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
    return (await this.#api.get("/auth/me", options)).data;
  }

  /** Requests the mail to set a new password; succeeds for any address. */
  async forgotPassword(email: string, { returnTo, ...options }: ReturnOptions = {}): Promise<void> {
    const body = { email, ...returning(returnTo) };
    await this.#api.post("/auth/password/forgot", { body, ...options });
  }

  /** Creates an account, whose address gets a mail; succeeds for a taken address too. */
  async register(
    account: Omit<Body<"POST /auth/register">, "returnTo">,
    { returnTo, ...options }: ReturnOptions = {},
  ): Promise<void> {
    const body = { ...account, ...returning(returnTo) };
    await this.#api.post("/auth/register", { body, ...options });
  }

  /** Requests another mail to confirm an address; succeeds for any address. */
  async resendVerification(
    email: string,
    { returnTo, ...options }: ReturnOptions = {},
  ): Promise<void> {
    const body = { email, ...returning(returnTo) };
    await this.#api.post("/auth/email/resend", { body, ...options });
  }

  /** Sets a new password by the secret of a mail; all sessions end. */
  async resetPassword(
    body: Body<"POST /auth/password/reset">,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#api.post("/auth/password/reset", { body, ...options });
  }

  /** Confirms an address by the secret of a mail. */
  async verifyEmail(token: string, options: CallOptions = {}): Promise<void> {
    await this.#api.post("/auth/email/verify", { body: { token }, ...options });
  }

  async providers(options: CallOptions = {}) {
    return (await this.#api.get("/auth/providers", options)).data;
  }

  /**
   * Returns the address at which a browser signs in through a provider, for a page of this installation.
   *
   * @param returnTo path of this installation at which the sign-in ends
   */
  providerUrl(provider: string, returnTo?: string): string {
    const query = returnTo === undefined ? "" : `?return_to=${encodeURIComponent(returnTo)}`;
    return `${this.#base}/api/auth/oauth/${encodeSegment(provider)}${query}`;
  }

  /**
   * Begins a sign-in through a provider that ends at a page of another front end: with a code for `exchangeCode` and the
   * verifier, or with an `error`, in its fragment. It requires `https` or `localhost`, where browsers have Web Crypto.
   *
   * @param returnTo one of `auth.return_addresses`
   */
  async beginProvider(provider: string, returnTo: string): Promise<ProviderSignIn> {
    const codeVerifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
    const challenge = base64Url(new Uint8Array(digest));
    const proof = `&code_challenge=${challenge}&code_challenge_method=S256`;
    return { url: `${this.providerUrl(provider, returnTo)}${proof}`, codeVerifier };
  }

  #begin({ data }: { readonly data?: SignedIn }, path: string): SignedIn {
    if (typeof data?.token !== "string") {
      const place = { method: "POST", path: `/api${path}` };
      throw clientError(place, 200, "RESPONSE_INVALID", "The response has no session");
    }
    this.#credential.secret = data.token;
    return data;
  }
}

function returning(returnTo: string | undefined) {
  return returnTo === undefined ? {} : { returnTo };
}

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
