import { type Address, parseAddress } from "@rowhouse/data";
import { rawPath } from "@rowhouse/http";

/**
 * Returns the target and the id in the path of a request.
 *
 * @throws AppError NOT_FOUND for any other path
 */
export function addressOf(request: Request): Address {
  return parseAddress(rawPath(request));
}

/**
 * Returns the target and the id above the last segment of a path: `…/query`, `…/{id}/history`.
 *
 * @throws AppError NOT_FOUND for any other path
 */
export function upperAddressOf(request: Request): Address {
  const path = rawPath(request);
  return parseAddress(path.slice(0, path.lastIndexOf("/")));
}
