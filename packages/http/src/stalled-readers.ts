import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface StallLimits {
  /** How long a caller may take nothing of an answer that is there, in milliseconds. */
  readonly stallMs: number;
  /** How often that is looked after. */
  readonly checkMs: number;
}

/**
 * Cuts off whoever takes nothing of what was written. It looks at the connections from time to time, because timers of
 * their own, which Node would set anew on each read and write, cost more than all other checks of a request.
 */
export function endStalledReaders(server: Server, { stallMs, checkMs }: StallLimits): void {
  const connections = new Set<Socket>();
  const waiting = new WeakMap<Socket, Progress>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const check = () => {
    const now = performance.now();
    for (const socket of connections) {
      if (socket.writableLength === 0) {
        waiting.delete(socket);
        continue;
      }
      const { bytesWritten } = socket;
      const queued = queuedBytes(socket);
      const before = waiting.get(socket);
      if (before?.bytesWritten !== bytesWritten || before.queued !== queued) {
        waiting.set(socket, { bytesWritten, queued, since: now });
      } else if (now - before.since >= stallMs) socket.destroy();
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once("close", () => clearInterval(timer));
}

/** What of an answer has been written and not taken at the time of a check. */
interface Progress {
  readonly bytesWritten: number;
  readonly queued: number;
  /** On the clock of `performance`. */
  readonly since: number;
}

/** Bytes that wait in the operating system's interface: one large chunk counts as written long before it is taken. */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } };
  return handle?.writeQueueSize ?? 0;
}
