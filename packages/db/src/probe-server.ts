import { once } from "node:events";
import { connect } from "node:net";

/** The state of an address: `AWAY` if nothing listens, `SILENT` if it accepts a connection and does not respond. */
export type ServerKind = "POSTGRES" | "OTHER" | "SILENT" | "AWAY";

const timeoutMs = 2_000;

/**
 * A request for TLS; every PostgreSQL server and pooler responds with one byte:
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-SSL
 */
const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Checks whether a server is PostgreSQL. The driver would wait for its whole connection timeout on any other server.
 *
 * @returns undefined for a URL that does not name a single host
 */
export async function probeServer(url: string): Promise<ServerKind | undefined> {
  const { hostname, port } = new URL(url);
  if (hostname === "" || hostname.includes(",") || hostname.startsWith("%")) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: Number(port || 5432), timeout: timeoutMs });
  socket.on("timeout", () => socket.destroy());
  const ended = once(socket, "close");
  let isConnected = false;
  let answer = Buffer.alloc(0);
  socket.on("connect", () => {
    isConnected = true;
    socket.write(tlsRequest);
  });
  socket.on("data", (bytes) => {
    answer = bytes;
    socket.destroy();
  });
  socket.on("error", () => {});
  await ended.catch(() => {});
  if (!isConnected) return "AWAY";
  if (answer.length === 0) return "SILENT";
  // "S" or "N" and nothing after it: SSH, for example, starts with the same letter.
  return answer.length === 1 && (answer[0] === 0x53 || answer[0] === 0x4e) ? "POSTGRES" : "OTHER";
}
