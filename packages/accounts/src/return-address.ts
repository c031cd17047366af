import { createError, type ErrorCode } from "@rowhouse/errors";
import { allowedReturnAddress } from "@rowhouse/settings";

/** Where a link in a mail leads, as its caller asks; undefined for a page of this service. */
export type AskedReturn = { readonly returnTo?: string | undefined };

/**
 * Returns the address of another front end in normal form; null if the caller asks for none.
 *
 * @param code and `path` of the error
 * @throws AppError if the setting `auth.return_addresses` does not allow it
 */
export async function requireReturnAddress(
  source: { readonly returnAddresses: () => Promise<readonly string[]> },
  asked: string | undefined,
  { code = "BODY_INVALID", path = "/returnTo" }: { code?: ErrorCode; path?: string } = {},
): Promise<string | null> {
  if (asked === undefined) return null;
  const address = allowedReturnAddress(await source.returnAddresses(), asked);
  if (address !== undefined) return address;
  const message = "Must be an address that the setting auth.return_addresses allows";
  throw createError(code, { path, message });
}
