import { connect } from "node:net";
import { createError } from "@rowhouse/errors";
import {
  type AssertionVerifier,
  createAssertionSigner,
  createAssertionVerifier,
  createService,
  envelope,
  jsonValue,
  type RunningServer,
  readBodyBytes,
  type Service,
  serve,
} from "@rowhouse/http";
import { createLogger } from "@rowhouse/service";
import {
  createApp,
  type ForwardUpstream,
  forwardTo,
  type GatewayDependencies,
  inProcess,
  type Upstream,
} from "../src/index.ts";

export const logger = createLogger("test", "silent");
export const secret = "a secret of the test's own, long enough";
const local = { port: 0, hostname: "127.0.0.1" };

/** The dependencies of a gateway besides its upstreams, for tests that do not depend on them. */
export const plain = {
  logger,
  corsOrigins: () => [],
  refreshSettings: async () => {},
  trustedProxies: () => [],
  bodyBytesMax: () => 1000,
  readiness: async () => ({}),
} as const satisfies Partial<GatewayDependencies>;

export interface Settings {
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  bodyBytesMax: number;
}

/** A gateway on a socket, in front of two services that record what they receive. */
export interface TestEnvironment {
  readonly server: RunningServer;
  readonly settings: Settings;
  stop(): Promise<void>;
}

/** Services in the gateway's own process, or each behind its own socket. */
export async function openTestEnvironment(
  kind: "one process" | "forwarding",
): Promise<TestEnvironment> {
  const settings: Settings = { corsOrigins: [], trustedProxies: [], bodyBytesMax: 1000 };
  const servers: RunningServer[] = [];
  const forwards: ForwardUpstream[] = [];
  const signAssertion = createAssertionSigner(secret);
  const upstream = async (name: "data-api" | "admin-api"): Promise<Upstream> => {
    if (kind === "one process") return inProcess(createEcho(name));
    const verifier = createAssertionVerifier({ secrets: [secret], audience: name });
    const service = createEcho(name, verifier);
    const server = await serve(service.fetch as never, local);
    servers.push(server);
    const forward = forwardTo({ urls: [server.url], audience: name, signAssertion, logger });
    forwards.push(forward);
    return forward.upstream;
  };
  const gateway = createApp({
    ...plain,
    dataApi: await upstream("data-api"),
    adminApi: await upstream("admin-api"),
    corsOrigins: () => settings.corsOrigins,
    trustedProxies: () => settings.trustedProxies,
    bodyBytesMax: () => settings.bodyBytesMax,
  });
  const server = await serve(gateway.fetch, local);
  return {
    server,
    settings,
    stop: async () => {
      await server.stop();
      await Promise.all(forwards.map((each) => each.close()));
      await Promise.all(servers.map((each) => each.stop()));
    },
  };
}

/** A service that responds with the received request. */
export function createEcho(name: string, verifyAssertion?: AssertionVerifier): Service {
  const service = createService({
    logger,
    ...(verifyAssertion === undefined ? {} : { verifyAssertion }),
  });
  service.get("/api/large", (c) => {
    let left = 200;
    const body = new ReadableStream({
      pull: (controller) => {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(new Uint8Array(10_000).fill(97));
      },
    });
    return new Response(body, { headers: { "X-Request-Id": c.env.edge.requestId } });
  });
  service.get("/api/unauthenticated", () => {
    throw createError("AUTHENTICATION_REQUIRED");
  });
  service.get("/api/never", () => new Promise<Response>(() => {}));
  service.all("/*", async (c) => {
    const body =
      c.req.method === "GET" ? new Uint8Array() : await readBodyBytes(c.req.raw, { bytesMax: 1e6 });
    const seen = {
      service: name,
      method: c.req.method,
      path: c.req.path,
      query: new URL(c.req.url).search,
      edge: c.env.edge,
      headers: Object.fromEntries(c.req.raw.headers),
      body: new TextDecoder().decode(body),
    };
    return jsonValue(200, envelope(seen), c.env.edge.requestId, { "X-Echo": "1" });
  });
  return service;
}

export interface Seen {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly edge: { readonly requestId: string; readonly clientAddress: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes bytes to a socket and returns everything that arrives until it closes or is idle. */
export function exchangeRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.setTimeout(700, () => socket.destroy());
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

/** The status of each response in raw bytes. */
export function statusesOf(raw: string): number[] {
  return [...raw.matchAll(/HTTP\/1\.1 ([0-9]{3})/g)].map((match) => Number(match[1]));
}
