import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { bodyKindOf } from "./body-kind.ts";

export interface RequestLimits {
  /** Time for a whole request, its body included, in milliseconds. */
  readonly requestMs: number;
  /** Interval of the checks, in milliseconds. */
  readonly checkMs: number;
}

interface Receiving {
  readonly incoming: IncomingMessage;
  readonly since: number;
}

/**
 * Rejects requests whose body is incomplete after `requestMs`, except imports and files: their routes limit them. Node's own
 * limit is the same for all requests of a server.
 *
 * @returns registers a request when its headers have arrived
 */
export function endSlowRequests(
  server: Server,
  { requestMs, checkMs }: RequestLimits,
): (incoming: IncomingMessage) => void {
  const last = new Map<Socket, Receiving>();
  server.on("connection", (socket) => {
    socket.once("close", () => last.delete(socket));
  });
  const check = () => {
    const before = performance.now() - requestMs;
    for (const [socket, { incoming, since }] of last) {
      if (incoming.complete) last.delete(socket);
      else if (since < before) {
        last.delete(socket);
        const error = Object.assign(new Error("Request timeout"), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        server.emit("clientError", error, socket);
      }
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once("close", () => clearInterval(timer));
  return (incoming) => {
    const { headers, socket } = incoming;
    const hasBody =
      headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (hasBody && bodyKindOf(incoming) === "ORDINARY")
      last.set(socket, { incoming, since: performance.now() });
    else last.delete(socket);
  };
}
