import type { IncomingMessage, ServerResponse } from "node:http";
import type { EdgeContext, Service } from "@rowhouse/http";

/** The two ends of a request on the public port. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The gateway's part of a trace (W3C `traceparent`), where requests are traced. */
  readonly traceParent?: string;
}

/** A service behind the gateway. */
export type Upstream = (
  request: Request,
  edge: EdgeContext,
  connection: Connection,
) => Response | Promise<Response>;

/** A service in this process: it gets the same request, and no socket is crossed. */
export function inProcess(service: Pick<Service, "fetch">): Upstream {
  return (request, edge) => service.fetch(request, { edge });
}
