import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { paths } from "./workflows.ts";

/** A received request. */
export interface Arrival {
  readonly path: string;
  readonly token: string;
  readonly key: string;
  readonly at: Date;
}

export interface CountingServer {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
}

/** Duration of a response, so that workers are killed while they wait for it. */
const answerMs = 400;

/** The target of HTTP steps. It counts requests, responds slowly, and rejects the first attempt of flaky ones. */
export async function startCountingServer(): Promise<CountingServer> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const token = String(request.headers["x-token"]);
    const isFirst = !arrivals.some((one) => one.path === path && one.token === token);
    arrivals.push({
      path,
      token,
      key: String(request.headers["idempotency-key"]),
      at: new Date(),
    });
    const status = path === paths.broken ? 500 : path === paths.flaky && isFirst ? 503 : 200;
    void sleep(status === 200 ? answerMs : 0).then(() => {
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    arrivals,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
