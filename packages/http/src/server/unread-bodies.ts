import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** A caller that sends nothing for this time has read the response, in milliseconds. */
const idleMs = 2000;
/** Maximum time for the rest of a body, in milliseconds. */
const lingerMs = 30_000;
const checkMs = 250;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Returns a response when the parser has read what arrived with the headers of its request: a handler that responds at once
 * precedes the body in the same packet.
 */
export function afterArrived<Answer>(
  incoming: IncomingMessage,
  answer: Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  return hasBody(incoming) ? afterParsed(incoming, answer) : answer;
}

async function afterParsed<Answer>(
  incoming: IncomingMessage,
  answer: Answer | Promise<Answer>,
): Promise<Answer> {
  const response = await answer;
  if (!incoming.complete) await setImmediate();
  return response;
}

/**
 * Lets a response to a request whose body has not arrived completely arrive: it says `Connection: close`, and the rest of
 * the body is discarded until the caller ends. A connection that is closed with unread bytes is reset, and a reset discards a
 * response that the caller has not read yet.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export class ClosingResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(...head: unknown[]): this {
    const incoming = this.req;
    if (!incoming.complete && hasBody(incoming)) {
      this.shouldKeepAlive = false;
      const { socket } = incoming;
      // Node calls it after the response.
      socket.destroySoon = () => linger(socket, incoming);
    }
    return super.writeHead(...(head as [number]));
  }
}

function linger(socket: Socket, incoming: IncomingMessage): void {
  socket.destroySoon = () => {};
  socket.end();
  // A reader that has stopped would pause it again.
  incoming.removeAllListeners("data");
  incoming.resume();
  const until = performance.now() + lingerMs;
  let bytes = socket.bytesRead;
  let idle = 0;
  const timer = setInterval(() => {
    idle = socket.bytesRead === bytes ? idle + checkMs : 0;
    bytes = socket.bytesRead;
    if (idle >= idleMs || performance.now() > until) socket.destroy();
  }, checkMs).unref();
  socket.once("end", () => socket.destroy());
  socket.once("close", () => clearInterval(timer));
}
