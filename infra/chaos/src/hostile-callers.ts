import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { SoakEnvironment } from "./soak-environment.ts";
import { codeOf } from "./steady-load.ts";

/** The expected and the actual response to a malicious body. */
export interface BombAnswer {
  readonly name: string;
  readonly expected: string;
  readonly answer: string;
}

const mebibyte = 1024 * 1024;

/** Sends malicious bodies. */
export async function sendBombs({ url, session }: SoakEnvironment): Promise<BombAnswer[]> {
  const deep = 50_000;
  const bombs: readonly (readonly [string, string, Bomb])[] = [
    [
      "100 MiB, gzipped to 100 KiB",
      "415 UNSUPPORTED_MEDIA_TYPE",
      { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(100 * mebibyte)) },
    ],
    ["10 GiB declared", "413 BODY_TOO_LARGE", { headers: { "content-length": `${1e10}` } }],
    ["64 MiB in chunks", "413 BODY_TOO_LARGE", { chunks: 1024 }],
    [
      "arrays, 50,000 deep",
      "400 BODY_INVALID",
      { body: Buffer.from(`{"data":${"[".repeat(deep)}${"]".repeat(deep)}}`) },
    ],
    [
      "100,000 rows",
      "413 BODY_TOO_LARGE",
      { body: Buffer.from(JSON.stringify({ data: Array(100_000).fill({ kind: "", token: "" }) })) },
    ],
    [
      "2,000 rows",
      "400 BODY_INVALID",
      { body: Buffer.from(JSON.stringify({ data: Array(2000).fill({ kind: "", token: "" }) })) },
    ],
    ["zeros", "400 BODY_INVALID", { body: Buffer.alloc(1000) }],
  ];
  return Promise.all(
    bombs.map(async ([name, expected, bomb]) => ({
      name,
      expected,
      answer: await send(`${url()}/api/public/table/entries`, session, bomb),
    })),
  );
}

interface Bomb {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Blocks of 64 KiB, if there is no body. */
  readonly chunks?: number;
}

function send(url: string, session: string, { headers, body, chunks }: Bomb): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(url, {
      method: "POST",
      agent: false,
      headers: {
        authorization: `Bearer ${session}`,
        "content-type": "application/json",
        ...(body === undefined ? {} : { "content-length": `${body.length}` }),
        ...headers,
      },
    });
    request.once("response", async (response) => {
      const parts: Buffer[] = [];
      try {
        for await (const part of response) parts.push(part as Buffer);
      } catch {
        // Read the response as far as it arrived.
      }
      resolve(`${response.statusCode} ${codeOf(Buffer.concat(parts).toString())}`);
      request.destroy();
    });
    // An early rejection ends the upload; only the response counts, which has arrived by then.
    request.on("error", (error) => void sleep(2000).then(() => resolve(`NO ANSWER (${error})`)));
    if (chunks === undefined) request.end(body);
    else void pour(request, chunks);
  });
}

async function pour(request: ReturnType<typeof httpRequest>, chunks: number): Promise<void> {
  const chunk = Buffer.alloc(65_536, " ");
  for (let at = 0; at < chunks && !request.destroyed; at += 1) {
    if (!request.write(chunk))
      await Promise.race([once(request, "drain").catch(() => {}), sleep(1000)]);
  }
  if (!request.destroyed) request.end();
}

/** Starts callers that read one byte a second, of exports and of lists. */
export async function readSlowly(
  { url, session }: SoakEnvironment,
  callers: number,
  ms: number,
): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: callers }, () => connectTo(url())));
  for (const [at, socket] of sockets.entries()) {
    const [query, type] = at % 2 === 0 ? ["", "text/csv"] : ["?limit=1000", "application/json"];
    socket.pause();
    socket.write(
      `GET /api/public/table/wide${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${session}\r\nAccept: ${type}\r\n\r\n`,
    );
  }
  const until = Date.now() + ms;
  while (Date.now() < until) {
    await sleep(1000);
    for (const socket of sockets) socket.read(1);
  }
  for (const socket of sockets) socket.destroy();
}

/**
 * Opens idle connections, keeps them for a while, and closes them.
 *
 * @returns the maximum number of parallel connections
 */
export async function idle({ url }: SoakEnvironment, count: number, ms: number): Promise<number> {
  const sockets: Socket[] = [];
  try {
    while (sockets.length < count) {
      const batch = Math.min(200, count - sockets.length);
      sockets.push(...(await Promise.all(Array.from({ length: batch }, () => connectTo(url())))));
    }
  } catch {
    // As many as the machine permits.
  }
  const opened = sockets.filter((socket) => !socket.closed).length;
  await sleep(ms);
  for (const socket of sockets) socket.destroy();
  return opened;
}

async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // The server may close the connection at any time.
  socket.on("error", () => {});
  return socket;
}
