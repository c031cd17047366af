import { Agent, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, serve } from "../src/index.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await serve(
    (incoming: Request) => {
      const { pathname } = new URL(incoming.url);
      // Without a pause between the request and its response.
      return pathname === "/none" ? new Response("refused", { status: 413 }) : later(incoming);
    },
    { port: 0, hostname: "127.0.0.1" },
  );
});
afterAll(() => server.stop());

async function later(incoming: Request): Promise<Response> {
  const { pathname } = new URL(incoming.url);
  if (pathname === "/read") return new Response(String((await incoming.arrayBuffer()).byteLength));
  // Some of the body, as a handler that finds a fault in a stream.
  if (pathname === "/some") for await (const _ of incoming.body ?? []) break;
  return new Response("refused", { status: 413 });
}

const megabyte = Buffer.alloc(1_048_576, "x");

/** Writes a request as fast as the server takes it, whatever it responds; returns the response and how writing ended. */
async function send(path: string, head: string, chunk: (bytes: Buffer) => Buffer, chunks: number) {
  const socket = connect(server.port, "127.0.0.1");
  let response = "";
  let fault = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    response += text;
  });
  socket.on("error", (error) => {
    fault = `${error.message} after ${response.length} characters`;
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n`);
  for (let sent = 0; sent < chunks && !socket.destroyed; sent += 1) {
    if (!socket.write(chunk(megabyte))) {
      await new Promise((resolve) => {
        socket.once("drain", resolve).once("close", resolve);
      });
    }
  }
  socket.end();
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return { response, fault };
}

describe("a response before the end of the body", () => {
  const kinds = [
    ["a declared length", `Content-Length: ${24 * megabyte.length}`, (bytes: Buffer) => bytes],
    [
      "chunks",
      "Transfer-Encoding: chunked",
      (bytes: Buffer) => Buffer.concat([Buffer.from("100000\r\n"), bytes, Buffer.from("\r\n")]),
    ],
  ] as const;
  for (const [name, head, chunk] of kinds) {
    for (const path of ["/none", "/some"]) {
      it(`arrives and closes the connection: ${name}, ${path} of the body read`, async () => {
        const all = await Promise.all(Array.from({ length: 8 }, () => send(path, head, chunk, 24)));
        for (const { response, fault } of all) {
          expect(fault).toBe("");
          expect(response).toMatch(/^HTTP\/1\.1 413 .*refused/s);
          expect(response.toLowerCase()).toContain("\r\nconnection: close\r\n");
        }
      });
    }
  }

  it("is not followed by the response to a request in the discarded bytes", async () => {
    const inner = "GET /read HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const head = `Content-Length: ${megabyte.length}`;
    const { response } = await send(
      "/none",
      head,
      (bytes) => Buffer.concat([bytes, Buffer.from(inner)]),
      1,
    );
    expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

it("a request after one whose body was refused has its response, on a connection that is kept or a new one", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (path: string, body: Buffer) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(
        { port: server.port, host: "127.0.0.1", path, method: "POST", agent },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => {
            text += part;
          });
          response.on("end", () => resolve(`${response.statusCode} ${text}`));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  for (const size of [10, 20_000, 900_000]) {
    expect(await post("/none", megabyte.subarray(0, size))).toBe("413 refused");
    await new Promise((resolve) => setTimeout(resolve, 480));
    expect(await post("/read", megabyte.subarray(0, size))).toBe(`200 ${size}`);
  }
  agent.destroy();
});

/** Opens a connection and collects what the server writes on it. */
function open() {
  const socket = connect(server.port, "127.0.0.1");
  const read = { text: "" };
  socket.setEncoding("latin1").on("data", (text: string) => {
    read.text += text.toLowerCase();
  });
  return { socket, read };
}

it.each(["/none", "/later"])(
  "a small body that has arrived, and was not read, leaves the connection open: %s",
  async (path) => {
    const { socket, read } = open();
    const post = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody`;
    socket.write(post);
    await expect.poll(() => read.text).toContain("refused");
    expect(read.text).not.toContain("connection: close");
    socket.write(post);
    await expect.poll(() => read.text.match(/refused/g)?.length).toBe(2);
    socket.destroy();
  },
);

it.each([
  ["/none", ""],
  ["/later", ""],
  ["/none", "Expect: 100-continue\r\n"],
])(
  "a refused small body that the caller has yet to send closes the connection: %s %s",
  async (path, header) => {
    const { socket, read } = open();
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n${header}\r\n`);
    await expect.poll(() => read.text).toContain("refused");
    expect(read.text).toContain("connection: close");
    socket.destroy();
  },
);
