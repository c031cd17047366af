import { isJsonObject, type JsonObject } from "../base/json.ts";
import { redacted } from "./secret-text.ts";

/** Headers that hold credentials; `proxy-authorization` is for a proxy that passed it on. */
export const credentialHeaders: readonly string[] = [
  "authorization",
  "cookie",
  "proxy-authorization",
];

/** Returns the headers with lower-case names, and `[redacted]` for those that hold credentials. */
export function redactCredentials(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const key = name.toLowerCase();
      return [key, credentialHeaders.includes(key) ? redacted : value];
    }),
  );
}

/**
 * The fields of `auth` that hold no credential. The other fields may come from an earlier step instead of a secret.
 */
const shownOfAuth: ReadonlySet<string> = new Set(["kind", "in", "name", "user"]);

/** Returns the rendered `auth` of a request without its credential. */
export function redactAuth(auth: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(auth).map(([key, value]) => [key, shownOfAuth.has(key) ? value : redacted]),
  );
}

/** Returns the rendered templates of a step without the credentials of a request. */
export function redactStepInput(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const { headers, auth } = input;
  return {
    ...input,
    ...(isJsonObject(headers) ? { headers: redactCredentials(headers) } : {}),
    ...(isJsonObject(auth) ? { auth: redactAuth(auth) } : {}),
  };
}
