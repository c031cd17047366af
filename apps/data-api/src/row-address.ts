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
 * Returns the target in the path of `POST …/query`.
 *
 * @throws AppError NOT_FOUND for any other path
 */
export function queryAddressOf(request: Request): Address {
  const path = rawPath(request);
  return parseAddress(path.slice(0, path.lastIndexOf("/")));
}
