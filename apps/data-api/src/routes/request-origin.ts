import type { Origin } from "@rowhouse/accounts";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { Context } from "hono";

/** The origin of a request, for sessions and the audit log. */
export function originOf(c: Context<ServiceEnvironment>): Origin {
  return {
    address: c.env.edge.clientAddress,
    requestId: c.env.edge.requestId,
    userAgent: c.req.header("user-agent") ?? null,
  };
}
