import { type Client, createClient, type RowhouseError } from "@rowhouse/client";
import { CommandError } from "./command-error.ts";

/** @throws CommandError for an address or a token that cannot be one */
export function openClient(url: string, token: string): Client {
  try {
    return createClient({ url, token });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const option = reason.startsWith("url ")
      ? "--url or ROWHOUSE_URL"
      : "--token or ROWHOUSE_TOKEN";
    throw new CommandError(`${reason.replace(/\.$/, "")}; check ${option}.`);
  }
}

/** What a failed connection means, by the code of its error. */
const connectionFaults: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "no program listens there; check the port, and that the service runs"],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "this name has no address; check the spelling, and your network"],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    "it cannot be reached; check the address, the firewall and the VPN",
  ],
  [
    /^(?:ERR_SSL|EPROTO)/,
    "the port does not speak TLS; check whether the address must start with http://",
  ],
  [
    /^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/,
    "its certificate is not trusted; check the name, and NODE_EXTRA_CA_CERTS for an authority of your own",
  ],
  [
    /^(?:ECONNRESET|UND_ERR_SOCKET|HPE_)/,
    "it closed the connection without an answer; check whether the address must start with https://",
  ],
];

/**
 * Returns one sentence for an error that no service of ours has sent: what happened, and what to check. Undefined for an error
 * of the service.
 */
export function strangeAnswer(error: RowhouseError, url: string): string | undefined {
  const address = URL.canParse(url) ? new URL(url).origin : url;
  if (error.status === 0) {
    const code = causeOf(error.cause);
    const [, meaning] = connectionFaults.find(([pattern]) => pattern.test(code)) ?? [];
    const reason = meaning ?? "it did not answer; check the address and your network";
    return `${address}: ${reason}${code === "" ? "" : ` (${code})`}.`;
  }
  if (error.code === "REDIRECT_REFUSED") {
    return `${address}: ${error.message}. Check ROWHOUSE_URL: it is the address that redirects nowhere.`;
  }
  if (error.code !== "RESPONSE_INVALID") return undefined;
  return `${address} answers with status ${error.status}, but it is no Rowhouse service. Check ROWHOUSE_URL: the host, the port, and a path such as /rowhouse.`;
}

/** Returns the code of the innermost cause; without one, its message. */
function causeOf(error: unknown): string {
  let [code, message] = ["", ""];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    message = cause.message;
    if ("code" in cause && typeof cause.code === "string") code = cause.code;
  }
  return code === "" ? message : code;
}
