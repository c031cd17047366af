import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/**
 * Below the ephemeral ports of every system; otherwise another connection could take the port before the caller does.
 */
const range = [10_000, 32_000] as const;

let last = randomInt(...range);

/** Returns a free port that this process has not returned before and that other processes are unlikely to return. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    last = last + 1 < range[1] ? last + 1 : range[0];
    const port = last;
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/** Returns whether a process listens on a port of the loopback address. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
