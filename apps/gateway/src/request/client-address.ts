import ipaddr from "ipaddr.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Returns the address of the caller of a request. */
export type ClientAddressReader = (
  peer: string | undefined,
  forwardedFor: string | undefined,
) => string;

/**
 * Reads the client's address: the socket's peer, or, if the peer is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy itself. The client may have written the addresses before it.
 *
 * @param trustedProxies addresses and networks (`10.0.0.0/8`, `2001:db8::1`); read on each request, because they are a
 * setting
 */
export function createClientAddressReader(
  trustedProxies: () => readonly string[],
): ClientAddressReader {
  let known: readonly string[] | undefined;
  let networks: Network[] = [];
  return (peer, forwardedFor) => {
    const trusted = trustedProxies();
    if (trusted !== known) {
      known = trusted;
      networks = trusted.flatMap(parseNetwork);
    }
    const address = canonical(peer ?? "");
    if (networks.length === 0 || forwardedFor === undefined) return address;
    return skipTrusted(address, forwardedFor, networks);
  };
}

function skipTrusted(peer: string, forwardedFor: string, networks: readonly Network[]): string {
  let address = peer;
  for (const hop of forwardedFor.split(",").reverse()) {
    if (!isTrusted(address, networks)) return address;
    const candidate = hop.trim();
    if (!ipaddr.isValid(candidate)) return address;
    address = canonical(candidate);
  }
  return address;
}

function isTrusted(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some(
    ([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits),
  );
}

const plainIpv4 = /^[0-9.]{7,15}$/;

/** Normalizes an address: IPv4-mapped IPv6 as IPv4, IPv6 in short form, without a zone. */
function canonical(address: string): string {
  if (plainIpv4.test(address)) return address;
  if (!ipaddr.isValid(address)) return "";
  const [withoutZone = ""] = ipaddr.process(address).toString().split("%");
  return withoutZone;
}

function parseNetwork(text: string): Network[] {
  if (ipaddr.isValidCIDR(text)) return [ipaddr.parseCIDR(text)];
  if (!ipaddr.isValid(text)) return [];
  const address = ipaddr.process(text);
  return [[address, address.kind() === "ipv4" ? 32 : 128]];
}

export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}
