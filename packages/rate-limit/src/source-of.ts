import ipaddr from "ipaddr.js";

/** The source that an address counts for: an IPv4 address, however it is spelled, or the /64 of an IPv6 one. */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
