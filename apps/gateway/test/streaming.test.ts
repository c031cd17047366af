import { once } from "node:events";
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer } from "@rowhouse/http";
import { createLogger } from "@rowhouse/service";
import { afterEach, expect, test } from "vitest";
import { openEndpoint } from "../src/forward/endpoint.ts";
import { startForwarding } from "./forwarding.ts";

/** The error log entries. */
const errors: string[] = [];
const logger = createLogger("test", "warn", { write: (line) => errors.push(line) });
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  errors.length = 0;
  for (const end of ends.splice(0).reverse()) await end();
});

interface Setting {
  bodyBytesMax: number;
  refresh: () => Promise<void>;
}

/** A gateway in front of a service that does what the test decides. */
async function createPair(
  serveRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<{ gateway: Pick<RunningServer, "url">; service: Server; setting: Setting }> {
  const service = createServer((incoming, outgoing) => {
    // The gateway's own probe.
    if (incoming.url === "/livez") outgoing.end();
    else serveRequest(incoming, outgoing);
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  const setting: Setting = { bodyBytesMax: 1_000_000_000, refresh: async () => {} };
  const gateway = await startForwarding([`http://127.0.0.1:${port}`], {
    logger,
    corsOrigins: () => ["https://app.example.com"],
    refreshSettings: () => setting.refresh(),
    bodyBytesMax: () => setting.bodyBytesMax,
  });
  ends.push(async () => {
    await gateway.stop(0);
    service.closeAllConnections();
    service.close();
  });
  return { gateway, service, setting };
}

function ask(
  gateway: Pick<RunningServer, "url">,
  method: string,
  headers: Record<string, string> = {},
) {
  return openRequest(`${gateway.url}/api/x`, { method, headers });
}

async function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

test("a chunked body reaches the service part by part", async () => {
  const { gateway } = await createPair(async (incoming, outgoing) => {
    const [first] = await once(incoming, "data");
    outgoing.writeHead(200);
    outgoing.write(`got ${first};`);
    const [second] = await once(incoming, "data");
    outgoing.end(`got ${second}`);
  });
  const request = ask(gateway, "POST");
  request.write("one");
  // The service responds to the first part before the second is sent.
  const answer = await answerOf(request);
  const [first] = await once(answer, "data");
  expect(String(first)).toBe("got one;");
  request.end("two");
  expect(await textOf(answer)).toBe("got two");
});

test("a large body with a length is streamed too and arrives completely", async () => {
  let size = 0;
  const { gateway } = await createPair(async (incoming, outgoing) => {
    for await (const chunk of incoming) size += chunk.length;
    outgoing.end(`${incoming.headers["content-length"]} ${incoming.headers["transfer-encoding"]}`);
  });
  const body = Buffer.alloc(3_000_000, 97);
  const request = ask(gateway, "POST", { "Content-Length": String(body.length) });
  request.end(body);
  expect(await textOf(await answerOf(request))).toBe("3000000 undefined");
  expect(size).toBe(3_000_000);
});

test("a response reaches the caller part by part, its head first", async () => {
  let goOn = () => {};
  const { gateway } = await createPair((_incoming, outgoing) => {
    outgoing.writeHead(200, { "Content-Type": "text/csv" });
    outgoing.flushHeaders();
    goOn = () => {
      outgoing.write("one");
      goOn = () => outgoing.end("two");
    };
  });
  const answer = await answerOf(ask(gateway, "GET").end());
  expect(answer.headers["content-type"]).toBe("text/csv");
  goOn();
  expect(String((await once(answer, "data"))[0])).toBe("one");
  goOn();
  expect(await textOf(answer)).toBe("two");
});

test("a service writes no faster than the caller reads, and nothing is lost", async () => {
  const total = 64 * 1024 * 1024;
  let written = 0;
  const { gateway } = await createPair(async (_incoming, outgoing) => {
    const part = Buffer.alloc(65_536, 98);
    while (written < total) {
      written += part.length;
      if (!outgoing.write(part)) await once(outgoing, "drain");
    }
    outgoing.end();
  });
  const answer = await answerOf(ask(gateway, "GET").end());
  answer.pause();
  let before = -1;
  while (written !== before) {
    before = written;
    await delay(300);
  }
  // Only the content of the socket buffers.
  expect(written).toBeLessThan(total / 2);
  let received = 0;
  for await (const chunk of answer) received += chunk.length;
  expect(received).toBe(total);
});

test("a caller that disconnects aborts the request at the service, before and after the response has started", async () => {
  for (const begins of [false, true]) {
    let gone = () => {};
    const left = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { gateway } = await createPair((_incoming, outgoing) => {
      outgoing.once("close", gone);
      if (begins) outgoing.write("x");
      else waiting();
    });
    let waiting = () => {};
    const arrived = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const request = ask(gateway, "GET").on("error", () => {});
    request.end();
    await (begins ? answerOf(request) : arrived);
    request.destroy();
    await left;
  }
  expect(errors).toEqual([]);
});

test("a gateway that stops while it probes a service reports no fault of the service", async () => {
  let probing = () => {};
  const probed = new Promise<void>((resolve) => {
    probing = resolve;
  });
  const silent = createServer(() => probing());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const endpoint = openEndpoint(url, logger, async () => "", { everyMs: 10, timeoutMs: 5000 });
  await probed;
  await endpoint.close();
  silent.closeAllConnections();
  silent.close();
  // The probe fails in a later turn.
  await delay(0);
  expect(errors).toEqual([]);
});

test("a caller that disconnects within its body leaves the service an incomplete body", async () => {
  let met: unknown;
  let over = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const { gateway } = await createPair(async (incoming) => {
    try {
      for await (const chunk of incoming) if (chunk.length > 0) request.destroy();
    } catch (error) {
      met = error;
    }
    over();
  });
  const request = ask(gateway, "POST").on("error", () => {});
  request.write("half");
  await ended;
  expect(met).toMatchObject({ code: "ECONNRESET" });
});

test("a response that breaks off at the service breaks off for the caller", async () => {
  const { gateway } = await createPair((_incoming, outgoing) => {
    outgoing.write("half");
    setTimeout(() => outgoing.destroy(), 20);
  });
  const answer = await answerOf(ask(gateway, "GET").end());
  await expect(textOf(answer)).rejects.toThrow("aborted");
});

test("a chunked body over the limit is 413, and the service gets no complete body", async () => {
  let size = 0;
  let isWhole: boolean | undefined;
  const { gateway, setting } = await createPair((incoming) => {
    incoming.on("error", () => {});
    incoming.on("data", (chunk) => {
      size += chunk.length;
    });
    incoming.on("close", () => {
      isWhole = incoming.complete;
    });
  });
  setting.bodyBytesMax = 100_000;
  let asked = 0;
  setting.refresh = async () => {
    asked += 1;
  };
  const request = ask(gateway, "POST").on("error", () => {});
  request.write(Buffer.alloc(50_000));
  // Newer versions of Node.js read all parts at once otherwise, and the service gets no request at all.
  while (size === 0) await delay(10);
  for (let part = 0; part < 2; part++) request.write(Buffer.alloc(50_000));
  const answer = await answerOf(request);
  expect(answer.statusCode).toBe(413);
  expect(answer.headers.connection).toBe("close");
  expect(JSON.parse(await textOf(answer)).errors[0].code).toBe("BODY_TOO_LARGE");
  expect(asked).toBe(1);
  while (isWhole === undefined) await delay(10);
  expect(isWhole).toBe(false);
  expect(size).toBeLessThanOrEqual(100_000);
});

test("a limit that was raised meanwhile permits the body", async () => {
  const { gateway, setting } = await createPair(async (incoming, outgoing) => {
    let size = 0;
    for await (const chunk of incoming) size += chunk.length;
    outgoing.end(String(size));
  });
  setting.bodyBytesMax = 10;
  setting.refresh = async () => {
    setting.bodyBytesMax = 1000;
  };
  const request = ask(gateway, "POST");
  request.write("x".repeat(20));
  request.end("y");
  expect(await textOf(await answerOf(request))).toBe("21");
});

test("a response before the body was read closes the connection afterwards", async () => {
  const { gateway } = await createPair((_incoming, outgoing) => {
    outgoing.writeHead(401, { "Content-Length": "2" }).end("no");
  });
  const request = ask(gateway, "POST").on("error", () => {});
  request.write("x".repeat(1000));
  const answer = await answerOf(request);
  expect(answer.statusCode).toBe(401);
  expect(answer.headers.connection).toBe("close");
  expect(await textOf(answer)).toBe("no");
  request.destroy();
});

test("a response keeps its headers, repeated names included, beside the CORS headers", async () => {
  const { gateway } = await createPair((_incoming, outgoing) => {
    outgoing.writeHead(200, [
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
      ["Vary", "Accept"],
      ["Content-Length", "1"],
    ] as never);
    outgoing.end("x");
  });
  const answer = await answerOf(ask(gateway, "GET", { Origin: "https://app.example.com" }).end());
  expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  expect(answer.headers.vary).toBe("Accept, Origin");
  expect(answer.headers["access-control-allow-origin"]).toBe("https://app.example.com");
  expect(answer.headers["content-length"]).toBe("1");
  expect(await textOf(answer)).toBe("x");
});
