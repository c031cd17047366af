import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type HostRules, isPublicAddress } from "../src/outgoing/address-guard.ts";
import { type OutgoingRequest, sendRequest } from "../src/outgoing/send-request.ts";

let server: Server;
let other: Server;
let seen: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const portOf = (one: Server) => {
  const address = one.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};
const base = () => `http://127.0.0.1:${portOf(server)}`;

beforeAll(async () => {
  const start = async () => {
    const one = createServer((request, response) => {
      seen.push(request);
      answer(request, response);
    }).listen(0, "127.0.0.1");
    await once(one, "listening");
    return one;
  };
  server = await start();
  other = await start();
});
beforeEach(() => {
  seen = [];
  answer = (_request, response) => response.end("ok");
});
afterAll(() => {
  server.closeAllConnections();
  other.closeAllConnections();
  server.close();
  other.close();
});

const request = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: "GET",
  url,
  headers: {},
  body: undefined,
  timeoutMs: 2000,
  responseBytesMax: 1000,
  ...more,
});
const refused = { code: "HTTP_ADDRESS_REFUSED" };
const reaching = (...allowed: string[]): HostRules => ({ allowed, public: null });

describe("an outgoing request to an address that is not public", () => {
  it.each([
    "http://127.0.0.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://①②⑦.0.0.1/",
    "http://127.1/",
    "http://localhost/",
    "http://localhost./",
    "http://LOCALHOST/",
    "http://0.0.0.0/",
    "http://0/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
  ])("%s is rejected before a byte is sent", async (url) => {
    await expect(sendRequest(request(url), reaching())).rejects.toMatchObject(refused);
  });

  it("a request to a local port is rejected, and reaches it once the host is allowed", async () => {
    await expect(sendRequest(request(base()), reaching())).rejects.toMatchObject(refused);
    await expect(sendRequest(request(base()), reaching("127.0.0.1:1"))).rejects.toMatchObject(
      refused,
    );
    expect(seen).toHaveLength(0);
    expect((await sendRequest(request(base()), reaching("127.0.0.1"))).status).toBe(200);
    const onPort = reaching(`127.0.0.1:${portOf(server)}`);
    expect((await sendRequest(request(base()), onPort)).status).toBe(200);
  });

  it("a redirect to a non-public address is rejected", async () => {
    answer = (_request, response) => {
      response.writeHead(302, { location: `http://localhost:${portOf(other)}/secret` }).end();
    };
    await expect(sendRequest(request(base()), reaching("127.0.0.1"))).rejects.toMatchObject(
      refused,
    );
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["http://other.example/", ["api.example"]],
    ["http://api.example.evil/", ["api.example"]],
    ["http://api.example:8080/", ["api.example:80"]],
    ["http://evil-api.example/", ["*.api.example"]],
    ["http://api.example/", ["*.api.example"]],
    ["http://8.8.8.8/", ["api.example"]],
    ["http://api.example/", []],
  ])(
    "%s is rejected before its name is looked up if workflows may call only %j",
    async (url, hosts) => {
      const lookUp = async () => {
        throw new Error("looked up");
      };
      const rules = { allowed: [], public: hosts };
      await expect(sendRequest(request(url), rules, undefined, lookUp)).rejects.toMatchObject({
        code: "HTTP_HOST_REFUSED",
      });
    },
  );

  it.each([
    ["http://api.example/", ["API.example"]],
    ["http://api.example./", ["api.example"]],
    ["https://api.example/", ["api.example:443"]],
    ["http://eu.api.example:8080/", ["*.api.example"]],
    ["http://eu.api.example:8080/", ["*.api.example:8080"]],
  ])("%s can be called with %j, at a public address only", async (url, hosts) => {
    const asked: string[] = [];
    const lookUp = async (name: string) => {
      asked.push(name);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const rules = { allowed: [], public: hosts };
    await expect(sendRequest(request(url), rules, undefined, lookUp)).rejects.toMatchObject(
      refused,
    );
    expect(asked).toHaveLength(1);
  });

  it.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("an outgoing request", () => {
  const allowed = reaching("127.0.0.1");

  it("a redirect to another origin carries no credential", async () => {
    answer = (incoming, response) => {
      if (incoming.url === "/end") return response.end("ok");
      const to = incoming.url === "/same" ? "/end" : `http://127.0.0.1:${portOf(other)}/end`;
      return response.writeHead(307, { location: to }).end();
    };
    const headers = {
      authorization: "Bearer canary",
      "x-api-key": "canary",
      cookie: "canary",
      accept: "a/b",
    };
    await sendRequest(request(`${base()}/same`, { headers }), allowed);
    expect(seen[1]?.headers).toMatchObject(headers);
    await sendRequest(request(`${base()}/other`, { headers }), allowed);
    expect(seen[3]?.headers.accept).toBe("a/b");
    expect(JSON.stringify(seen[3]?.headers)).not.toContain("canary");
  });

  it("a redirect turns a POST into a GET without a body if its status says so", async () => {
    answer = (incoming, response) => {
      if (incoming.url === "/end") return response.end("ok");
      return response.writeHead(303, { location: "/end" }).end();
    };
    const body = new TextEncoder().encode("{}");
    await sendRequest(request(base(), { method: "POST", body }), allowed);
    expect(seen.map((one) => one.method)).toEqual(["POST", "GET"]);
    expect(seen[1]?.headers["content-length"]).toBeUndefined();
  });

  it("a request with too many redirects fails", async () => {
    answer = (_request, response) => response.writeHead(302, { location: "/" }).end();
    await expect(sendRequest(request(base()), allowed)).rejects.toMatchObject({
      code: "HTTP_TOO_MANY_REDIRECTS",
    });
    expect(seen).toHaveLength(6);
  });

  it("a response is read up to its size limit only", async () => {
    answer = (_request, response) => {
      response.on("error", () => {});
      const write = () => {
        if (!response.destroyed) response.write("x".repeat(500), () => setImmediate(write));
      };
      write();
    };
    await expect(sendRequest(request(base()), allowed)).rejects.toMatchObject({
      code: "HTTP_RESPONSE_TOO_LARGE",
    });
  });

  const text = "Köln ".repeat(100);
  const deflated = { deflate: deflateSync(text), raw: deflateRawSync(text) };
  it.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflated.deflate],
    ["Deflate", deflated.raw],
    ["br", brotliCompressSync(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
    ["identity", Buffer.from(text)],
  ])("a response with the content encoding %s is decoded", async (encoding, bytes) => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding, "content-length": bytes.length });
      response.end(bytes);
    };
    const found = await sendRequest(request(base()), allowed);
    expect(Buffer.from(found.body).toString()).toBe(text);
    expect(Object.keys(found.headers)).not.toContain("content-encoding");
    expect(Object.keys(found.headers)).not.toContain("content-length");
    expect(seen[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br");
    const head = await sendRequest(request(base(), { method: "HEAD" }), allowed);
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it("a response ends at its size limit before and after it is decoded", async () => {
    const content = Buffer.alloc(64 * 1024 * 1024);
    const empty = gzipSync("");
    const bodies: Readonly<Record<string, Buffer>> = {
      gzip: gzipSync(content),
      br: brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      "gzip, gzip": gzipSync(gzipSync(content)),
      // No byte of content in a long body.
      "x-gzip": Buffer.concat(Array.from({ length: 100_000 }, () => empty)),
    };
    for (const [encoding, bytes] of Object.entries(bodies)) {
      answer = (_request, response) => {
        response.on("error", () => {});
        response.writeHead(200, { "content-encoding": encoding }).end(bytes);
      };
      const read = sendRequest(request(base(), { responseBytesMax: 100_000 }), allowed);
      await expect(read, encoding).rejects.toMatchObject({ code: "HTTP_RESPONSE_TOO_LARGE" });
    }
  });

  it.each([
    ["zstd", "x", '"zstd", which is not supported'],
    ["gzip, gzip, gzip", "x", "not supported"],
    ["gzip", "no gzip", "not valid gzip"],
    ["gzip", gzipSync(text).subarray(0, 20), "not valid gzip"],
    ["br", "no brotli", "not valid br"],
  ])(
    "a body without its content encoding %s fails, and never hides the status of an error",
    async (encoding, bytes, message) => {
      for (const status of [200, 502]) {
        answer = (_request, response) =>
          response.writeHead(status, { "content-encoding": encoding }).end(bytes);
        const found = sendRequest(request(base()), allowed);
        if (status === 502) expect(await found).toMatchObject({ status, body: new Uint8Array() });
        else {
          await expect(found).rejects.toMatchObject({
            code: "HTTP_BODY_INVALID",
            message: expect.stringContaining(message),
          });
        }
      }
    },
  );

  it("the encodings that a request accepts can be set", async () => {
    const headers = { "accept-encoding": "identity" };
    await sendRequest(request(base(), { headers }), allowed);
    expect(seen[0]?.headers["accept-encoding"]).toBe("identity");
  });

  it("a request ends at its time limit, with a slow body as with no response", async () => {
    for (const begin of [true, false]) {
      answer = (_request, response) => {
        if (begin) response.write("x");
      };
      await expect(sendRequest(request(base(), { timeoutMs: 200 }), allowed)).rejects.toMatchObject(
        {
          code: "HTTP_TIMEOUT",
        },
      );
    }
  });

  it.each(["file:///etc/passwd", "ftp://x/", "not a url", "http://user:pass@example.org/"])(
    "a request to %s is rejected",
    async (url) => {
      await expect(sendRequest(request(url), reaching())).rejects.toMatchObject({
        code: "HTTP_URL_INVALID",
      });
    },
  );
});

describe("a streamed body", () => {
  const bodyOf = (...chunks: string[]) => ({
    content: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
    bytes: Buffer.byteLength(chunks.join("")),
  });
  const send = (more: Partial<OutgoingRequest>) =>
    sendRequest(request(base(), { method: "POST", ...more }), reaching("127.0.0.1"));

  it("arrives whole and with its length", async () => {
    answer = (incoming, response) => {
      textOf(incoming).then((body) =>
        response.end(`${incoming.headers["content-length"]} ${body}`),
      );
    };
    const { body } = await send({ body: bodyOf("one ", "two") });
    expect(Buffer.from(body).toString()).toBe("7 one two");
  });

  it("is not sent again after a redirect, which is the response", async () => {
    answer = (incoming, response) => {
      incoming.resume();
      response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/` }).end();
    };
    expect((await send({ body: bodyOf("one") })).status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  it("fails the request if it cannot be read", async () => {
    answer = (incoming) => incoming.on("error", () => {}).resume();
    const content = Readable.from(
      (async function* () {
        yield Buffer.from("one");
        throw new Error("the disk is gone");
      })(),
    );
    await expect(send({ body: { content, bytes: 100 } })).rejects.toMatchObject({
      code: "HTTP_FAILED",
    });
  });
});
