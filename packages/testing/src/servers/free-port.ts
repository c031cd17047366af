import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** All ports are below the ephemeral ports of every system, which connections take. */
const firstPort = 10_000;
const portsEach = 2000;
const workersMax = 11;

const range = portsOf(Number(process.env.VITEST_POOL_ID ?? 0));

let last = randomInt(...range);

/**
 * Returns the ports of a worker of the test run. No two workers share a port: otherwise two could find the same port
 * free before the process that one of them starts listens on it.
 */
export function portsOf(worker: number): readonly [first: number, end: number] {
  const first = firstPort + (worker % workersMax) * portsEach;
  return [first, first + portsEach];
}

/** Returns a free port that this process has not returned lately and that no other worker returns. */
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
