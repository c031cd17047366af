/** How far an outgoing request has come. */
export type RequestPhase = "LOOKUP" | "CONNECT" | "TLS" | "ANSWER" | "BODY";

const slow: Readonly<Record<RequestPhase, string>> = {
  LOOKUP: "The name of the host was not resolved in time",
  CONNECT: "The server did not accept the connection in time",
  TLS: "The server did not complete the TLS handshake in time",
  ANSWER: "The server accepted the connection, and sent no answer in time",
  BODY: "The server did not send the whole answer in time",
};

const closed: Readonly<Record<RequestPhase, string>> = {
  LOOKUP: "The connection was reset",
  CONNECT: "The connection was reset before the server accepted it",
  TLS: "The server closed the connection during the TLS handshake; it may expect http://",
  ANSWER: "The server closed the connection before its answer; it may expect https://",
  BODY: "The server closed the connection within its answer",
};

const noTls = "The server does not speak TLS on this port; it may expect http://";
const unknownIssuer = "The issuer of the server's certificate is unknown";

/** Reasons by the codes of Node.js, OpenSSL and llhttp. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "The name of the host does not exist",
  ENODATA: "The name of the host has no address",
  EAI_AGAIN: "No name server answered for the name of the host",
  ESERVFAIL: "The name server failed for the name of the host",
  ECONNREFUSED: "The server refused the connection",
  ETIMEDOUT: slow.CONNECT,
  EHOSTUNREACH: "There is no route to the server",
  ENETUNREACH: "There is no route to the network of the server",
  EADDRNOTAVAIL: "This machine has no address or port for the connection",
  CERT_HAS_EXPIRED: "The server's certificate has expired",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet",
  CERT_REVOKED: "The server's certificate is revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The chain of the server's certificate ends in a self-signed one",
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${unknownIssuer}, or an intermediate certificate is missing`,
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host",
  HPE_HEADER_OVERFLOW: "The head of the answer is too large",
};

/** The code of an error, or of the first of several attempts to connect. */
function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

/** OpenSSL has read bytes that are no TLS. Node.js reports some of these errors by their text alone. */
const withoutTls = /wrong version number|packet length too long|http request/i;

/** The first byte of a TLS alert, with which a TLS server answers a request without TLS. */
const tlsAlert = 0x15;

/**
 * Returns why a request failed, for administrators. No reason contains an address, or a text of the server.
 *
 * @returns undefined for an error that is not one of the connection
 */
export function failureReason(error: unknown, phase: RequestPhase): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = codeOf(error);
  const known = reasons[code];
  if (known !== undefined) return known;
  if (code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED") return closed[phase];
  if (code.startsWith("HPE_")) {
    const { rawPacket } = error as { readonly rawPacket?: Uint8Array };
    if (rawPacket?.[0] === tlsAlert) return "The server speaks TLS on this port; use https://";
    return "The answer is not valid HTTP";
  }
  if (code.startsWith("CERT_")) return `The server's certificate is not accepted (${code})`;
  if (code.startsWith("ERR_SSL_") || code === "EPROTO" || code.startsWith("ERR_TLS_")) {
    if (withoutTls.test(String(error))) return noTls;
    return `The TLS handshake failed (${code})`;
  }
  return undefined;
}

/** Returns why a request ended by its time limit. */
export function timeoutReason(phase: RequestPhase): string {
  return slow[phase];
}
