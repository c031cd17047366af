/** Editors whose redirect addresses have a scheme of their own without a period. */
const editors: ReadonlySet<string> = new Set([
  "cursor:",
  "vscode:",
  "vscode-insiders:",
  "windsurf:",
  "zed:",
]);
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::[0-9]{1,5})?((?:[/?].*)?)$/;
const textMax = 2000;

/**
 * Whether a client may have this redirect address: `https`, `http` on a loopback address, a scheme with a period
 * (RFC 8252, 7.1), or the scheme of a known editor. Any other scheme is rejected, because a browser that is sent to it
 * may run a script or start a program.
 */
export function isPossibleRedirect(text: string): boolean {
  // Printable ASCII only: parsers disagree about other characters and backslashes.
  if (text.length > textMax || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== "" || password !== "" || /^[a-z]+:\/\/[^/?]*@/i.test(text)) return false;
  if (protocol === "https:") return /^https:\/\/[^/?]/.test(text);
  if (protocol === "http:") return isLoopbackRedirect(text);
  return protocol.includes(".") || editors.has(protocol);
}

/** Whether a redirect address leads to a program on the person's own computer. */
export function isLoopbackRedirect(text: string): boolean {
  return URL.canParse(text) && loopback.test(text);
}

/**
 * Whether a redirect address is one of a client's: the same text, or on loopback the same except for the port, which a
 * program receives when it starts (RFC 8252, 7.3).
 */
export function isRedirectOf(redirectUris: readonly string[], asked: string): boolean {
  if (!isPossibleRedirect(asked)) return false;
  const [, origin, rest] = loopback.exec(asked) ?? [];
  return redirectUris.some((known) => {
    if (known === asked) return true;
    const [, knownOrigin, knownRest] = loopback.exec(known) ?? [];
    return origin !== undefined && knownOrigin === origin && knownRest === rest;
  });
}

/** Adds parameters to a redirect address; they replace parameters of the same name. */
export function redirectWith(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

/** Where a redirect leads, as a person reads it: the host, or the scheme of a program. */
export function hostOfRedirect(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : protocol;
}
