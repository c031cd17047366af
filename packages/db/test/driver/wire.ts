import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

/** One message from PostgreSQL to the driver, as sent on the wire. */
export interface WireMessage {
  /** Number of the proxy's connection, from 1. */
  readonly connection: number;
  /** Number of the message on this connection, from 1. */
  readonly index: number;
  /** The letter of its kind in the protocol. */
  readonly kind: string;
  readonly bytes: Buffer;
}

/** The pieces that the driver receives for one message, each in its own write; `cut` closes the connection. */
export type Relay = (message: WireMessage) => readonly Buffer[] | "cut";

export interface Wire {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Sets the handler of all further messages. */
  relay: Relay;
  close(): Promise<void>;
}

export const asItIs: Relay = ({ bytes }) => [bytes];

/** Starts a TCP proxy between the driver and PostgreSQL that handles each message of the server separately. */
export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true));
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream);
    void relayAll(upstream, client, connections, wire);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const wire: Wire = {
    url: url.href,
    relay: asItIs,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
  return wire;
}

async function relayAll(
  upstream: Socket,
  client: Socket,
  connection: number,
  wire: Wire,
): Promise<void> {
  let index = 0;
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of upstream) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const bytes = rest.subarray(0, rest.readUInt32BE(1) + 1);
        rest = rest.subarray(bytes.length);
        index += 1;
        const kind = String.fromCharCode(bytes[0] ?? 0);
        const pieces = wire.relay({ connection, index, kind, bytes });
        if (pieces === "cut") return;
        for (const piece of pieces) {
          client.write(piece);
          if (pieces.length > 1) await turn();
        }
      }
    }
  } catch {
    // A reset of the server's side also closes the driver's side.
  } finally {
    client.destroy();
    upstream.destroy();
  }
}

/** A message of the server. */
export function message(kind: string, ...texts: readonly string[]): Buffer {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const head = Buffer.alloc(5);
  head.write(kind, 0, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** An ErrorResponse (`E`) or a NoticeResponse (`N`). */
export function report(kind: "E" | "N", code: string): Buffer {
  return message(kind, "SERROR", "VERROR", `C${code}`, "Minjected", "");
}
