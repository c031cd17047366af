import type { IncomingMessage, ServerResponse } from "node:http";
import { type EdgeContext, removeInternalHeaders, type Service } from "@rowhouse/http";
import { type BodyLimit, boundedRequest } from "./bound-body.ts";

/** The two ends of a request on the public port. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The gateway's part of a trace (W3C `traceparent`), where requests are traced. */
  readonly traceParent?: string;
}

/** A request on its way to a service. */
export interface Exchange {
  readonly request: Request;
  readonly edge: EdgeContext;
  readonly connection: Connection;
  readonly bodyLimit: BodyLimit;
  /** Headers to add to the answer, for a page of another origin; known by the time that the answer begins. */
  readonly answerHeaders?: () => Promise<Readonly<Record<string, string>>>;
}

/**
 * A service behind the gateway. It gives an answer, to which the answer headers are yet to be added, or `alreadySent` when
 * it wrote one to the connection itself, with them.
 */
export type Upstream = (exchange: Exchange) => Response | Promise<Response>;

/** A service in this process: it gets the same request, and no socket is crossed. */
export function inProcess(service: Pick<Service, "fetch">): Upstream {
  return ({ request, edge, connection, bodyLimit }) => {
    removeInternalHeaders(connection.incoming);
    return service.fetch(boundedRequest(request, connection.incoming, bodyLimit), { edge });
  };
}

/** Handles one request whose id is already assigned. */
export type Answering = (
  request: Request,
  connection: Connection,
  requestId: string,
) => Response | Promise<Response>;
