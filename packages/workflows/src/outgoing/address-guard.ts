import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { RunFault } from "../base/run-fault.ts";

/** The hosts that steps may reach. Each list has entries `host` or `host:port`; case does not matter. */
export interface HostRules {
  /** Hosts that steps may reach at any address, public or not. */
  readonly allowed: readonly string[];
  /**
   * The only other hosts that steps may reach, at public addresses (`*.example.com` for every host under it); null
   * allows all.
   */
  readonly public: readonly string[] | null;
}

/**
 * The range of ordinary public addresses. ipaddr.js reports other ranges for IPv6 addresses that embed an IPv4
 * address.
 */
const publicRange = "unicast";

/**
 * Ranges that ipaddr.js reports as unicast although they reach special addresses: IPv4-compatible addresses, local-use
 * NAT64 (RFC 8215), ORCHIDv2, and segment routing.
 */
const alsoRefused = ["::/96", "64:ff9b:1::/48", "2001:20::/28", "5f00::/16", "3fff::/20"].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
);

/** Returns whether `address` is reachable from the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== publicRange) return false;
  return !(parsed instanceof ipaddr.IPv6 && alsoRefused.some((range) => parsed.match(range)));
}

/** Returns whether an administrator allowed the URL's host at any address, on every port or on this one. */
export function isAllowedHost(url: URL, { allowed }: HostRules): boolean {
  const [host, hostAndPort] = hostsOf(url);
  return allowed.some((entry) => [host, hostAndPort].includes(entry.toLowerCase()));
}

/** Rejects a host that workflows may not call. @throws RunFault HTTP_HOST_REFUSED */
export function checkPublicHost(url: URL, { public: hosts }: HostRules): void {
  const [host, hostAndPort] = hostsOf(url);
  const isListed = (entry: string) =>
    entry.startsWith("*.")
      ? host.endsWith(entry.slice(1)) || hostAndPort.endsWith(entry.slice(1))
      : entry === host || entry === hostAndPort;
  if (hosts === null || hosts.some((entry) => isListed(entry.toLowerCase()))) return;
  throw new RunFault(
    "HTTP_HOST_REFUSED",
    "Workflows may not call this host; an administrator can add it to workflows.public_hosts",
  );
}

/** Returns a URL's host, and its host with its port. */
function hostsOf(url: URL): readonly [string, string] {
  const host = url.hostname.replace(/\.$/, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return [host, `${host}:${port}`];
}

/**
 * Rejects a URL whose host is a non-public address or a name of this machine. @throws RunFault HTTP_ADDRESS_REFUSED
 */
export function checkLiteralAddress(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // RFC 6761: localhost is this machine, whatever address a name server returns for it.
  if (/(?:^|\.)localhost\.?$/i.test(host)) throw addressRefused();
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw addressRefused();
}

/** Returns every address of a name, of one family or of both (0). */
export type ResolveName = (hostname: string, family: 0 | 4 | 6) => Promise<LookupAddress[]>;

/** Resolves names with the system's resolver. */
export const systemResolver: ResolveName = (hostname, family) =>
  lookup(hostname, { all: true, family });

/**
 * Returns a lookup for `net.connect` that yields only public addresses. The connection uses the addresses that were
 * checked, so a name that resolves differently the second time gains nothing (DNS rebinding).
 */
export function createPublicLookup(resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, familyOf(options.family)).then(
      (addresses) => {
        // One private address among public ones is enough to reject the name: DNS rebinding mixes them.
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

/** Returns the fault for every non-public address. It does not reveal the address that the name resolved to. */
export function addressRefused(): RunFault {
  return new RunFault(
    "HTTP_ADDRESS_REFUSED",
    "This address is not public, and no administrator has allowed the host",
  );
}
