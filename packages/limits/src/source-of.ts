import ipaddr from "ipaddr.js";

/** Returns the source that an address counts for: an IPv4 address in normal form, or the /64 of an IPv6 address. */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
