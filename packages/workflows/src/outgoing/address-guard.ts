import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { RunFault } from "../base/run-fault.ts";

/** Which hosts steps may reach; each list has `host` or `host:port`, in any case. */
export interface HostRules {
  /** These, although their address is not public. */
  readonly allowed: readonly string[];
  /** Of the others these alone (`*.example.com` for every host under it), at public addresses; null for all. */
  readonly public: readonly string[] | null;
}

/** Ranges that lead an IPv4 address inside an IPv6 one; ipaddr.js names them, but they are not plain unicast. */
const publicRange = "unicast";

/**
 * Ranges that ipaddr.js takes for unicast and that lead to special addresses all the same: IPv4-compatible addresses,
 * local-use NAT64 (RFC 8215), ORCHIDv2, and segment routing.
 */
const alsoRefused = ["::/96", "64:ff9b:1::/48", "2001:20::/28", "5f00::/16", "3fff::/20"].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
);

/** Whether `address` is one that anybody on the internet could be reached at. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== publicRange) return false;
  return !(parsed instanceof ipaddr.IPv6 && alsoRefused.some((range) => parsed.match(range)));
}

/** Whether an administrator allowed this URL's host, whatever its address, on every port or on this one. */
export function isAllowedHost(url: URL, { allowed }: HostRules): boolean {
  const [host, hostAndPort] = hostsOf(url);
  return allowed.some((entry) => [host, hostAndPort].includes(entry.toLowerCase()));
}

/** @throws RunFault HTTP_HOST_REFUSED for a host that is not among those that may be called */
export function checkPublicHost(url: URL, { public: hosts }: HostRules): void {
  const [host, hostAndPort] = hostsOf(url);
  const isListed = (entry: string) =>
    entry.startsWith("*.")
      ? host.endsWith(entry.slice(1)) || hostAndPort.endsWith(entry.slice(1))
      : entry === host || entry === hostAndPort;
  if (hosts === null || hosts.some((entry) => isListed(entry.toLowerCase()))) return;
  throw new RunFault(
    "HTTP_HOST_REFUSED",
    "This host is not among those that an administrator lets workflows call",
  );
}

/** A URL's host, and its host with its port. */
function hostsOf(url: URL): readonly [string, string] {
  const host = url.hostname.replace(/\.$/, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return [host, `${host}:${port}`];
}

/** @throws RunFault HTTP_ADDRESS_REFUSED for a URL whose host is an address that is not public, or names this machine */
export function checkLiteralAddress(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // RFC 6761: whatever a name server says of it.
  if (/(?:^|\.)localhost\.?$/i.test(host)) throw addressRefused();
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw addressRefused();
}

/** Every address of a name, of this family or of both (0). */
export type ResolveName = (hostname: string, family: 0 | 4 | 6) => Promise<LookupAddress[]>;

/** As the rest of the machine resolves names. */
export const systemResolver: ResolveName = (hostname, family) =>
  lookup(hostname, { all: true, family });

/**
 * A lookup for `net.connect` that gives only public addresses. The connection goes to the addresses that were checked,
 * so a name that answers differently the second time gains nothing.
 */
export function createPublicLookup(resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, familyOf(options.family)).then(
      (addresses) => {
        // One private address among public ones is enough to refuse: it is how rebinding begins.
        const [first] = addresses;
        if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address))) {
          callback(addressRefused(), "", 0);
        } else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function familyOf(family: number | "IPv4" | "IPv6" | undefined): 0 | 4 | 6 {
  if (family === "IPv4" || family === 4) return 4;
  return family === "IPv6" || family === 6 ? 6 : 0;
}

/** The one answer for every address that is not public; it does not tell what the name resolved to. */
export function addressRefused(): RunFault {
  return new RunFault(
    "HTTP_ADDRESS_REFUSED",
    "This address is not public, and no administrator has allowed the host",
  );
}
