import type { UsableProvider } from "./provider.ts";

/**
 * Returns the error of a sign-in for the operator. If the provider names another issuer than its record, in its
 * metadata, its callback or its id_token, a sentence says so; the causes of `openid-client` are no errors, and no log
 * has them.
 */
export function explainIssuer({ key, issuer }: UsableProvider, error: unknown): unknown {
  const stated = statedIssuer(error);
  if (stated === undefined) return error;
  const [place, name] = stated;
  const shown = JSON.stringify(name)?.slice(0, shownMax);
  return new Error(
    `The provider ${key} has the issuer ${issuer}, but ${place} ${shown}: check which of them is right`,
    { cause: error },
  );
}

/** Maximum characters of an issuer in a message. */
const shownMax = 300;

function statedIssuer(error: unknown, depth = 0): readonly [string, unknown] | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  const { cause } = error;
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("attribute" in cause && cause.attribute === "issuer" && "body" in cause) {
    return ["its metadata name", memberOf(cause.body, "issuer")];
  }
  if ("claim" in cause && cause.claim === "iss" && "claims" in cause) {
    return ["its id_token names", memberOf(cause.claims, "iss")];
  }
  if ("parameters" in cause && error.message.includes('"iss"')) {
    const { parameters } = cause;
    const value = parameters instanceof URLSearchParams ? parameters.get("iss") : undefined;
    return ["its callback names", value];
  }
  return statedIssuer(cause, depth + 1);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
