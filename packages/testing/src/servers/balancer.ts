import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Distributes requests among ready processes, like a load balancer in a data center. */
export interface Balancer {
  readonly url: string;
  /** Adds a process; waits until it is ready. */
  add(url: string): Promise<void>;
  /** Sends no more requests to a process, and waits for the end of its running requests. */
  remove(url: string): Promise<void>;
  close(): Promise<void>;
}

const pollMs = 50;
/** Number of consecutive failed checks after which a process is excluded. */
const failuresMax = 3;

/**
 * Polls `/readyz` of each process and sends requests to the ready ones in turn. If a connection fails, it tries the
 * next process. It repeats nothing else: the caller receives any other failure as 502.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const members = new Set(urls);
  const underWay = new Map<string, number>();
  let ready: string[] = [];
  const failures = new Map<string, number>();
  let turn = 0;
  let closed = false;
  const polling = (async () => {
    while (!closed) {
      await Promise.all(
        [...members].map(async (url) => {
          failures.set(url, (await isReady(url)) ? 0 : (failures.get(url) ?? failuresMax) + 1);
        }),
      );
      ready = [...members].filter((url) => (failures.get(url) ?? failuresMax) < failuresMax);
      await delay(pollMs);
    }
  })();

  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming);
    turn += 1;
    const order = ready.map((_, at) => ready[(turn + at) % ready.length] ?? "");
    for (const url of order) {
      underWay.set(url, (underWay.get(url) ?? 0) + 1);
      const end = () => underWay.set(url, (underWay.get(url) ?? 1) - 1);
      if ((await send(url, incoming, body, outgoing)) !== "REFUSED") {
        if (outgoing.closed) end();
        else outgoing.once("close", end);
        return;
      }
      end();
    }
    outgoing.writeHead(502).end("no process is ready");
  });
  // A client that keeps connections open must not reuse one that is about to close.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  while (ready.length === 0) await delay(pollMs);
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: async (url) => {
      members.add(url);
      while (!ready.includes(url)) await delay(pollMs);
    },
    remove: async (url) => {
      members.delete(url);
      failures.delete(url);
      ready = ready.filter((one) => one !== url);
      while ((underWay.get(url) ?? 0) > 0) await delay(pollMs);
    },
    close: async () => {
      closed = true;
      await polling;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

function send(
  url: string,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<"SENT" | "REFUSED"> {
  return new Promise((resolve) => {
    const to = new URL(incoming.url ?? "/", url);
    const { method, headers } = incoming;
    // One connection for each request, so that none closes during a request.
    const sent = request(to, {
      method,
      headers: { ...headers, connection: "close" },
      agent: false,
    });
    sent.once("response", (answer) => {
      const { connection: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
      resolve("SENT");
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") return resolve("REFUSED");
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end(error.message);
      resolve("SENT");
    });
    sent.end(body);
  });
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
