import { call } from "../shell/api.ts";
import type { Session } from "../shell/session.ts";

/** A provider that the sign-in page offers. */
export interface OfferedProvider {
  readonly key: string;
  readonly name: string;
}

/** The ways to sign in, besides email and password. */
export interface SignInWays {
  readonly data: readonly OfferedProvider[];
  readonly meta: { readonly registration: boolean };
}

const post = <Result>(path: string, body: object) =>
  call<Result>("POST", `/api/auth/${path}`, { body });

/** The public routes of accounts; each throws an `ApiError`. */
export const accountApi = {
  ways: (signal: AbortSignal) => call<SignInWays>("GET", "/api/auth/providers", { signal }),
  signIn: async (email: string, password: string) =>
    (await post<{ data: Session }>("login", { email, password })).data,
  exchange: async (code: string) =>
    (await post<{ data: Session }>("oauth/exchange", { code })).data,
  acceptInvitation: async (token: string, password: string, name: string) =>
    (
      await post<{ data: Session }>("invitations/accept", {
        token,
        password,
        ...(name === "" ? {} : { name }),
      })
    ).data,
  register: (input: { email: string; password: string; name: string; language: string }) =>
    post("register", input),
  forgot: (email: string) => post("password/forgot", { email }),
  reset: (token: string, password: string) => post("password/reset", { token, password }),
  verify: (token: string) => post("email/verify", { token }),
  resend: (email: string) => post("email/resend", { email }),
};

/** Where a browser begins to sign in through a provider. */
export function providerPath(key: string, returnTo: string): string {
  return `/api/auth/oauth/${encodeURIComponent(key)}?${new URLSearchParams({ return_to: returnTo })}`;
}
