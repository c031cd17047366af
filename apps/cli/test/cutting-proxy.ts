import { connect, createServer, type Socket } from "node:net";

/** When the proxy cuts a connection: before it passes the request on, after it did, or when the answer arrives. */
export type Cut = "BEFORE" | "DURING" | "AFTER";

export interface CuttingProxy {
  readonly url: string;
  /** Cuts the next connections whose request begins with a text, each at this moment; lets some pass before. */
  cut(request: string, moment: Cut, times?: number, passing?: number): void;
  /** Requests that were cut. */
  readonly cuts: readonly string[];
  close(): Promise<void>;
}

/** How long a request that is cut `DURING` has been with the service. */
const duringMs = 300;

/** A TCP proxy in front of a service, which cuts connections as a proxy with a short timeout does. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const cuts: string[] = [];
  const rules: { request: string; moment: Cut; times: number; passing: number }[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    let moment: Cut | undefined;
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      const rule = rules.find(({ request, times }) => times > 0 && text.startsWith(request));
      if (rule !== undefined && rule.passing > 0) rule.passing -= 1;
      else if (rule !== undefined) {
        rule.times -= 1;
        moment = rule.moment;
        cuts.push(rule.request);
        if (moment === "BEFORE") return end();
        if (moment === "DURING") setTimeout(end, duringMs);
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (moment !== undefined) end();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    cuts,
    cut: (request, moment, times = 1, passing = 0) =>
      void rules.push({ request, moment, times, passing }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
