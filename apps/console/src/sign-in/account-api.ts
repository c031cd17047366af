import type { ApiOperations } from "@rowhouse/client";
import { client } from "../shell/client.ts";
import { currentSession } from "../shell/session.ts";

/** The ways to sign in, besides email and password. */
type SignInWays = ApiOperations["GET /auth/providers"]["answer"];

/** A provider that the sign-in page offers. */
export type OfferedProvider = SignInWays["data"][number];

/** The public routes of accounts; each throws a `RowhouseError`. */
export const accountApi = {
  ways: (signal: AbortSignal): Promise<SignInWays> => client.api.get("/auth/providers", { signal }),
  signIn: (email: string, password: string) => client.auth.signIn({ email, password }),
  exchange: (code: string) => client.auth.exchangeCode(code),
  readInvitation: async (token: string, signal: AbortSignal) =>
    (await client.api.post("/auth/invitations/read", { body: { token }, signal })).data,
  acceptInvitation: (token: string, password: string, name: string) =>
    client.auth.acceptInvitation({ token, password, ...(name === "" ? {} : { name }) }),
  register: (body: ApiOperations["POST /auth/register"]["body"]) =>
    client.api.post("/auth/register", { body }),
  forgot: (email: string) => client.auth.forgotPassword(email),
  reset: (token: string, password: string) => client.auth.resetPassword({ token, password }),
  verify: (token: string) => client.auth.verifyEmail(token),
  resend: (email: string) => client.api.post("/auth/email/resend", { body: { email } }),
};

/** Exchanges the code of a trial, ends the session that it opens, and returns whom it signed in. */
export async function tryCode(code: string) {
  const { data } = await client.api.post("/auth/oauth/exchange", { body: { code } });
  client.auth.session = data.token;
  try {
    await client.auth.signOut();
  } finally {
    client.auth.session = currentSession()?.token ?? null;
  }
  return data.user;
}
