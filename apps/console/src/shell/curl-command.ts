/**
 * Returns a GET request as a command. The session stays out of it: other programs read the clipboard.
 *
 * @param path with its query
 */
export function curlCommand(path: string): string {
  // `encodeURIComponent` leaves the quote as it is.
  const url = `${location.origin}${path}`.replaceAll("'", "'\\''");
  return `curl '${url}' -H "Authorization: Bearer $TOKEN"`;
}
