import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** Below what any system gives to connections by itself: else one of these may have the port before whoever asked for it. */
const range = [10_000, 32_000] as const;

let last = randomInt(...range);

/** A port that is free, that was given to nobody in this process and is not likely to be given in another one. */
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

/** Whether somebody listens on a port of the loopback address. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
