/** Standard Webhooks requires 24 bytes or more. A key that is nearly empty would let anyone sign. */
const keyBytesMin = 16;

/**
 * Returns the key of a secret of Standard Webhooks: base64 or base64url, after `whsec_`, `v1,whsec_` or neither.
 *
 * @returns undefined for a text that cannot be a key
 */
export function standardKey(secret: string): Buffer | undefined {
  const [, digits = ""] = /^(?:(?:v1,)?whsec_)?([\w+/-]*)={0,2}$/.exec(secret) ?? [];
  const key = Buffer.from(digits, "base64url");
  const written = digits.replaceAll("+", "-").replaceAll("/", "_");
  return key.toString("base64url") === written && key.length >= keyBytesMin ? key : undefined;
}

/** The form of the secrets of one way to sign, for messages. */
const standardForm = `must be whsec_ and the base64 of at least ${keyBytesMin} bytes, which Standard Webhooks requires`;

/**
 * Returns why a secret cannot be the key of a signature.
 *
 * @param kind of the signature; all but Standard Webhooks take any text
 * @returns undefined for a possible key
 */
export function signingKeyFault(kind: string, secret: string): string | undefined {
  return kind === "STANDARD_WEBHOOKS" && standardKey(secret) === undefined
    ? standardForm
    : undefined;
}
