import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface StallLimits {
  /** How long a caller may read nothing of a written response, in milliseconds. */
  readonly stallMs: number;
  /** Interval of the checks, in milliseconds. */
  readonly checkMs: number;
}

/**
 * Closes connections whose caller reads nothing of a written response for `stallMs`. One timer checks all connections:
 * a timer per connection, which Node resets on every read and write, costs more than all other checks of a request.
 *
 * Only time in which this process runs counts. After a pause of the process, its callers get another chance to read.
 */
export function endStalledReaders(server: Server, { stallMs, checkMs }: StallLimits): void {
  const connections = new Set<Socket>();
  const waiting = new WeakMap<Socket, Progress>();
  let checkedAt = performance.now();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const check = () => {
    const now = performance.now();
    const elapsedMs = Math.min(now - checkedAt, 2 * checkMs);
    checkedAt = now;
    for (const socket of connections) {
      if (socket.writableLength === 0) {
        waiting.delete(socket);
        continue;
      }
      const { bytesWritten } = socket;
      const queued = queuedBytes(socket);
      const before = waiting.get(socket);
      if (before?.bytesWritten !== bytesWritten || before.queued !== queued) {
        waiting.set(socket, { bytesWritten, queued, stalledMs: 0 });
      } else {
        before.stalledMs += elapsedMs;
        if (before.stalledMs >= stallMs) socket.destroy();
      }
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once("close", () => clearInterval(timer));
}

/** What a connection had written at the last check that found progress. */
interface Progress {
  readonly bytesWritten: number;
  readonly queued: number;
  stalledMs: number;
}

/** Bytes in the operating system's send queue: one large chunk counts as written long before the caller reads it. */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } };
  return handle?.writeQueueSize ?? 0;
}
