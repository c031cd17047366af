import type { ApiOperations, SignedIn } from "../api/api-operations.generated.ts";
import type { CallOptions } from "../request/client-options.ts";
import type { ClientCredential } from "../request/credential.ts";
import { encodeSegment } from "../request/query.ts";
import type { Transport } from "../request/transport.ts";
import type { Calls } from "./area.ts";
import { type Body, SignIn } from "./sign-in.ts";

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

/** Sign-in and the session. The remaining routes of one's account are those of the area `api`. */
export class Auth extends SignIn {
  readonly #base: string;

  constructor(
    api: Calls<ApiOperations>,
    credential: ClientCredential,
    transport: Transport,
    base: string,
  ) {
    super(api, credential, transport);
    this.#base = base;
  }

  /** Accepts an invitation, and signs in. */
  async acceptInvitation(
    body: Body<"POST /auth/invitations/accept">,
    options: CallOptions = {},
  ): Promise<SignedIn> {
    const path = "/auth/invitations/accept";
    return this.begin(await this.api.post(path, { body, ...options }), path);
  }

  /** Exchanges the code of a provider's sign-in for a session. */
  async exchangeCode(
    code: string,
    { codeVerifier, ...options }: ExchangeOptions = {},
  ): Promise<SignedIn> {
    const path = "/auth/oauth/exchange";
    const body = codeVerifier === undefined ? { code } : { code, codeVerifier };
    return this.begin(await this.api.post(path, { body, ...options }), path);
  }

  /** Requests the mail to set a new password; succeeds for any address. */
  async forgotPassword(email: string, { returnTo, ...options }: ReturnOptions = {}): Promise<void> {
    const body = { email, ...returning(returnTo) };
    await this.api.post("/auth/password/forgot", { body, ...options });
  }

  /** Creates an account, whose address gets a mail; succeeds for a taken address too. */
  async register(
    account: Omit<Body<"POST /auth/register">, "returnTo">,
    { returnTo, ...options }: ReturnOptions = {},
  ): Promise<void> {
    const body = { ...account, ...returning(returnTo) };
    await this.api.post("/auth/register", { body, ...options });
  }

  /** Requests another mail to confirm an address; succeeds for any address. */
  async resendVerification(
    email: string,
    { returnTo, ...options }: ReturnOptions = {},
  ): Promise<void> {
    const body = { email, ...returning(returnTo) };
    await this.api.post("/auth/email/resend", { body, ...options });
  }

  /** Sets a new password by the secret of a mail; all sessions end. */
  async resetPassword(
    body: Body<"POST /auth/password/reset">,
    options: CallOptions = {},
  ): Promise<void> {
    await this.api.post("/auth/password/reset", { body, ...options });
  }

  /** Confirms an address by the secret of a mail. */
  async verifyEmail(token: string, options: CallOptions = {}): Promise<void> {
    await this.api.post("/auth/email/verify", { body: { token }, ...options });
  }

  async providers(options: CallOptions = {}) {
    return (await this.api.get("/auth/providers", options)).data;
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
}

function returning(returnTo: string | undefined) {
  return returnTo === undefined ? {} : { returnTo };
}

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
