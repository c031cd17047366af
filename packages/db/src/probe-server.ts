import { once } from "node:events";
import { connect } from "node:net";

/** What listens at an address: `AWAY` if nothing does, `SILENT` if it accepts a connection and does not answer. */
export type ServerKind = "POSTGRES" | "OTHER" | "SILENT" | "AWAY";

const timeoutMs = 2_000;

/**
 * A request for TLS, to which every PostgreSQL server and pooler answers one byte:
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-SSL
 */
const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Asks a server whether it is PostgreSQL. The driver waits for its whole connection timeout where one is not.
 *
 * @returns undefined for a URL that names no single host
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
  // "S" or "N", and nothing behind it: SSH, for one, begins with the same letter.
  return answer.length === 1 && (answer[0] === 0x53 || answer[0] === 0x4e) ? "POSTGRES" : "OTHER";
}
