import type { IncomingMessage, ServerResponse } from "node:http";
import { type EdgeContext, removeInternalHeaders, type Service } from "@rowhouse/http";
import { type BodyLimit, boundedRequest } from "./bound-body.ts";

/** The two ends of a request on the public port. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The gateway's span (W3C `traceparent`), if the request is traced. */
  readonly traceParent?: string;
}

export interface UpstreamRequest {
  readonly request: Request;
  readonly edge: EdgeContext;
  readonly connection: Connection;
  readonly bodyLimit: BodyLimit;
  /** Headers to add to the response for a page of another origin; resolved by the time the response starts. */
  readonly answerHeaders?: () => Promise<Readonly<Record<string, string>>>;
}

/**
 * A service behind the gateway. It returns a response to which the caller adds the answer headers, or `alreadySent` if
 * it wrote a response with these headers to the connection itself.
 */
export type Upstream = (exchange: UpstreamRequest) => Response | Promise<Response>;

/** A service in this process: it receives the same request without a socket. */
export function inProcess(service: Pick<Service, "fetch">): Upstream {
  return ({ request, edge, connection, bodyLimit }) => {
    const { incoming } = connection;
    removeInternalHeaders(incoming);
    return service.fetch(boundedRequest(request, incoming, bodyLimit), {
      edge,
      incoming,
    });
  };
}

/** Handles one request whose id is already assigned. */
export type Answering = (
  request: Request,
  connection: Connection,
  requestId: string,
) => Response | Promise<Response>;
