import { isJsonObject, setOwn } from "../base/json.ts";
import type { SecretValues } from "./secret-reader.ts";
import { SecretText } from "./secret-text.ts";

/** Returns `value` with the names of secrets replaced by their values. @throws RunFault SECRET_UNAVAILABLE */
export function revealSecrets(value: unknown, secrets: SecretValues): unknown {
  if (value instanceof SecretText) return value.reveal(secrets);
  if (Array.isArray(value)) return value.map((item) => revealSecrets(item, secrets));
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    setOwn(result, key, revealSecrets(item, secrets));
  return result;
}

/** Returns whether `value` contains a secret. */
export function holdsSecret(value: unknown): boolean {
  if (value instanceof SecretText) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isJsonObject(value) && Object.values(value).some(holdsSecret);
}
