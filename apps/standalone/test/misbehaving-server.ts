import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** What a server does with a connection. */
export type Misbehavior = (socket: Socket) => void;

export interface MisbehavingServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a TCP server on the loopback address whose connections are all handled by `misbehave`. */
export async function startMisbehaving(misbehave: Misbehavior): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    misbehave(socket);
  });
  return { port: await listen(server), close: () => closeAll(server, sockets) };
}

export interface FreezableProxy extends MisbehavingServer {
  /** From now on no byte arrives, in either direction, and no connection ends. */
  freeze(): void;
  thaw(): void;
}

/** Starts a TCP proxy before a server on the loopback address that can lose all bytes, as a network without a route does. */
export async function startFreezableProxy(target: number): Promise<FreezableProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (bytes) => {
        if (!isFrozen) to.write(bytes);
      });
      from.on("close", () => {
        sockets.delete(from);
        if (!isFrozen) to.destroy();
      });
    }
  });
  return {
    port: await listen(server),
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    close: () => closeAll(server, sockets),
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, "close");
}

/** Accepts the connection and never sends anything. */
export const silent: Misbehavior = () => {};

/** Sends `begin`, and nothing after it. */
export const stopsAfter = (begin: string): Misbehavior => {
  return (socket) => {
    socket.write(begin);
  };
};

/** Sends `begin`, then `piece` again and again, so that no idle timeout of a transport ends. */
export const drips = (begin: string, piece: string): Misbehavior => {
  return (socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(piece), 50);
    socket.on("close", () => clearInterval(timer));
  };
};

export const closesAtOnce: Misbehavior = (socket) => {
  socket.end();
};

export const resetsAtOnce: Misbehavior = (socket) => {
  socket.resetAndDestroy();
};

/** Waits for the first bytes of the client before it does the same. */
export const onceAsked = (then: Misbehavior): Misbehavior => {
  return (socket) => {
    socket.once("data", () => then(socket));
  };
};
