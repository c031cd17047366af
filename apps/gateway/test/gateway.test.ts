import { request as openRequest } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { createAssertionSigner } from "@rowhouse/http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  exchangeRaw,
  openTestEnvironment,
  type Seen,
  secret,
  statusesOf,
  type TestEnvironment,
} from "./test-environment.ts";

describe.each(["one process", "forwarding"] as const)("%s", (kind) => {
  let environment: TestEnvironment;
  const defaults = { corsOrigins: [], trustedProxies: [], bodyBytesMax: 1000 };
  beforeAll(async () => {
    environment = await openTestEnvironment(kind);
  });
  afterEach(() => {
    Object.assign(environment.settings, defaults);
  });
  afterAll(() => environment.stop());

  const call = (path: string, init?: RequestInit) =>
    fetch(`${environment.server.url}${path}`, init);
  const see = async (path: string, init?: RequestInit): Promise<Seen> => {
    const answer = await call(path, init);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Seen }).data;
  };
  const raw = (text: string) => exchangeRaw(environment.server.port, text);
  const rawGet = async (target: string, headers = "") =>
    raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);

  describe("routes", () => {
    test.each([
      ["/api/x?a=b", "data-api"],
      ["/admin/api/x", "admin-api"],
      ["/app/api/me", "admin-api"],
      ["/", "admin-api"],
      ["/admin", "admin-api"],
      ["/admin/auth/reset", "admin-api"],
      ["/app", "admin-api"],
      ["/app/data/fleet", "admin-api"],
    ])("%s goes to %s", async (path, service) => {
      expect((await see(path)).service).toBe(service);
    });
    test("method, query and body reach the service unchanged", async () => {
      const seen = await see("/api/x%20y?a=%2F&b", { method: "PATCH", body: "ä" });
      expect(seen).toMatchObject({
        method: "PATCH",
        path: "/api/x%20y",
        query: "?a=%2F&b",
        body: "ä",
      });
    });
    test.each([
      "a%2Cb",
      "a%2Fb",
      "%5C",
      "%C3%A4",
      "a%2Eb",
      "..%2Fx",
      "a.b",
      ".x",
      "a;b".replace(";", "%3B"),
    ])("a path value may contain any encoded character: %s", async (id) => {
      expect(statusesOf(await rawGet(`/api/fleet/table/trips/${id}`))).toEqual([200]);
    });
    test.each([
      "/x",
      "/administrator",
      "/apps/x",
      "/admin/",
      "/app/",
      "/api",
      "//admin/api/users",
      "/api//admin/api/x",
      "/%61dmin/api/users",
      "/admin%2Fapi/users",
      "/api%2Fx",
      "/x/%2e%2e/admin/api/users",
      "/api/../admin/api/users",
      "/api/%2e%2e/admin/api/users",
      "/api/%2E./admin/api/users",
      "/api/./x",
      "/api/x/..",
      "/api/x/.",
      "/api/x/",
      "/api/x;/../admin",
      "/api;x/y",
      "/api\\x",
      "/api/x\\..\\admin",
      "/api/%00",
      "/api/x%00.json",
      "/api/%zz",
      "/api/%",
      "/ADMIN/api/users",
    ])("%s is 404 with the error of every unknown path", async (target) => {
      const answer = await rawGet(target);
      expect(statusesOf(answer)).toEqual([404]);
      expect(answer).toContain('"code":"NOT_FOUND"');
      expect(answer.toLowerCase()).toContain("x-request-id: ");
    });
    test.each([
      "/app/../",
      "/app/%2e%2e/",
      "/app/./",
      "//app/",
      "/app//",
      "/\\app/",
      "/app/x;y/",
      "/app/api/",
      "/apps/",
    ])("a browser is redirected from no other path than a page's: %s", async (target) => {
      expect(statusesOf(await rawGet(target, "Accept: text/html\r\n"))).toEqual([404]);
    });
    test("a browser is redirected from the address of a page with a slash at its end", async () => {
      const answer = await rawGet("/app/data/?a=/", "Accept: text/html\r\n");
      expect(statusesOf(answer)).toEqual([302]);
      expect(answer.toLowerCase()).toContain("location: /app/data?a=/\r\n");
    });
    test("a query that looks like another path does not select a route", async () => {
      expect((await see("/api/x?/admin/api/users")).service).toBe("data-api");
      expect((await see("/api/x?y=/../../admin//api")).service).toBe("data-api");
    });
  });

  describe("request id", () => {
    test("a well-formed request id is kept; any other is replaced", async () => {
      const kept = await call("/api/x", { headers: { "X-Request-Id": "mine-1" } });
      expect(kept.headers.get("x-request-id")).toBe("mine-1");
      expect(((await kept.json()) as { data: Seen }).data.edge.requestId).toBe("mine-1");
      const replaced = await call("/api/x", { headers: { "X-Request-Id": "not well formed" } });
      expect(replaced.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]+$/);
    });
  });

  describe("client address", () => {
    test.each(["X-Forwarded-For", "Forwarded", "X-Real-IP", "X_Forwarded_For"])(
      "%s is ignored from a peer that is not a trusted proxy",
      async (name) => {
        const seen = await see("/api/x", { headers: { [name]: "203.0.113.9" } });
        expect(seen.edge.clientAddress).toBe("127.0.0.1");
      },
    );
    test.each([
      ["203.0.113.9", "203.0.113.9"],
      ["6.6.6.6, 203.0.113.9", "203.0.113.9"],
      ["203.0.113.9, 10.1.2.3", "203.0.113.9"],
      ["::ffff:203.0.113.9", "203.0.113.9"],
      ["2001:DB8:0:0::1", "2001:db8::1"],
      ["nonsense", "127.0.0.1"],
      ["nonsense, 10.1.2.3", "10.1.2.3"],
      ["", "127.0.0.1"],
    ])("a trusted proxy's X-Forwarded-For %j is %s", async (forwarded, expected) => {
      environment.settings.trustedProxies = ["127.0.0.1", "10.0.0.0/8"];
      const seen = await see("/api/x", { headers: { "X-Forwarded-For": forwarded } });
      expect(seen.edge.clientAddress).toBe(expected);
    });
  });

  describe("bodies", () => {
    const post = (headers: string, body: string) =>
      raw(
        `POST /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n\r\n${body}`,
      );
    test("a declared length over the limit is 413 before the body is read", async () => {
      expect(statusesOf(await post("Content-Length: 1001", "x"))).toEqual([413]);
    });
    test("a chunked body over the limit is 413", async () => {
      const body = `1f4\r\n${"x".repeat(500)}\r\n`.repeat(3);
      expect(statusesOf(await post("Transfer-Encoding: chunked", body))).toEqual([413]);
    });
    test("a chunked body within the limit arrives completely", async () => {
      const answer = await post("Transfer-Encoding: chunked", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      expect(answer).toContain('"body":"abcde"');
    });
    test("bytes beyond a declared length are rejected, and the next request is unaffected", async () => {
      expect(statusesOf(await post("Content-Length: 2", "abcdef"))).toEqual([400]);
      expect((await call("/api/x")).status).toBe(200);
    });
    test("a compressed body is rejected, independent of its decompressed size", async () => {
      const bomb = gzipSync(Buffer.alloc(100_000));
      for (const encoding of ["gzip", "deflate, gzip", "br", "GZIP"]) {
        const headers = { "Content-Encoding": encoding };
        const answer = await call("/api/x", { method: "POST", body: bomb, headers });
        expect(answer.status).toBe(415);
        expect(await answer.json()).toMatchObject({
          errors: [{ code: "UNSUPPORTED_MEDIA_TYPE" }],
        });
      }
      const plain = { "Content-Encoding": "identity" };
      expect((await see("/api/x", { method: "POST", body: "x", headers: plain })).body).toBe("x");
    });
    test("bytes after an unread body are not parsed as a request", async () => {
      const smuggled = "GET /admin/api/x HTTP/1.1\r\nHost: localhost\r\n\r\n";
      for (const head of [
        `Content-Length: ${smuggled.length + 5}\r\n\r\n${smuggled}`,
        `Transfer-Encoding: chunked\r\n\r\n400\r\n${smuggled}`,
      ]) {
        const answer = await raw(`GET /api/x HTTP/1.1\r\nHost: localhost\r\n${head}`);
        expect(statusesOf(answer)).toEqual([200]);
        expect(answer.toLowerCase()).toContain("connection: close");
      }
    });
    test("a caller that waits for 100 Continue receives it", async () => {
      const answer = await new Promise<string>((resolve, reject) => {
        let text = "";
        const head =
          "POST /api/x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n";
        const socket = connect(environment.server.port, "127.0.0.1", () => socket.write(head));
        socket.on("data", (chunk) => {
          text += chunk.toString("latin1");
          if (text === "HTTP/1.1 100 Continue\r\n\r\n") socket.write("abc");
        });
        socket.on("close", () => resolve(text));
        socket.on("error", reject);
      });
      expect(statusesOf(answer)).toEqual([100, 200]);
      expect(answer).toContain('"body":"abc"');
    });
    test("the current body limit applies", async () => {
      const init = { method: "POST", body: "x".repeat(1500) };
      expect((await call("/api/x", init)).status).toBe(413);
      const inChunks = () =>
        call("/api/x", {
          method: "POST",
          body: new Blob(["x".repeat(1500)]).stream(),
          duplex: "half",
        } as RequestInit);
      expect((await inChunks()).status).toBe(413);
      environment.settings.bodyBytesMax = 2000;
      expect((await call("/api/x", init)).status).toBe(200);
      expect((await inChunks()).status).toBe(200);
    });
  });

  describe("on a raw socket", () => {
    test.each([
      [
        "length and chunks",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin/api/x HTTP/1.1\r\n\r\n",
      ],
      ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"],
      ["a bare LF", "X: y\nContent-Length: 0\r\n\r\n"],
      ["a folded header", "X: y\r\n z\r\n\r\n"],
      ["a space before the colon", "Content-Length : 0\r\n\r\n"],
    ])("%s: rejected and closed, and the next request is unaffected", async (_name, rest) => {
      const answer = await raw(`POST /api/x HTTP/1.1\r\nHost: localhost\r\n${rest}`);
      expect(statusesOf(answer)).toEqual([400]);
      expect((await call("/api/x")).status).toBe(200);
    });
    const send = (line: string, host = "Host: other.example\r\n") =>
      raw(`${line} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    const seenIn = (answer: string) => JSON.parse(answer.slice(answer.indexOf('{"data"'))).data;

    test.each([
      ["GET http://one.example/api/x?a=1", "/api/x", "?a=1"],
      ["GET HTTP://one.example/api/x", "/api/x", ""],
      ["GET https://one.example/api/x?u=http://b/", "/api/x", "?u=http://b/"],
      ["DELETE http://one.example/api/a%2Fb", "/api/a%2Fb", ""],
    ])(
      "%s: an absolute target is its path, and its host precedes Host",
      async (line, path, query) => {
        const answer = await send(line);
        expect(statusesOf(answer)).toEqual([200]);
        const seen = seenIn(answer);
        expect([seen.path, seen.query]).toEqual([path, query]);
        expect(answer).not.toContain("other.example");
      },
    );

    test("an absolute target gets the response of its path, whatever that is", async () => {
      for (const path of ["/livez", "/", "", "/nope", "/api/../x", "/api//x", "/admin/", "?x"]) {
        const own = path.startsWith("/") ? path : `/${path}`;
        const [absolute, origin] = [
          await send(`GET http://localhost${path}`),
          await send(`GET ${own}`),
        ];
        expect([path, statusesOf(absolute)]).toEqual([path, statusesOf(origin)]);
      }
      const body = "Content-Length: 1\r\nConnection: close\r\n\r\nx";
      const post = await raw(`POST http://localhost/api/x HTTP/1.1\r\nHost: localhost\r\n${body}`);
      expect(seenIn(post)).toMatchObject({ method: "POST", path: "/api/x", body: "x" });
    });

    test.each([
      ["GET ftp://one.example/api/x", undefined],
      ["GET http://user@one.example/api/x", undefined],
      ["GET http:///api/x", undefined],
      ["GET http://a b/api/x", undefined],
      ["GET http://one.example/api/x#f", undefined],
      ["GET one.example:80", undefined],
      ["GET *", undefined],
      ["CONNECT one.example:443", undefined],
      ["GET http://one.example/api/x", ""],
      ["GET http://one.example/api/x", "Host: a\r\nHost: b\r\n"],
    ])(
      "%s (%j): another target, and one without a single Host, is rejected",
      async (line, host) => {
        expect(statusesOf(await send(line, host))).toEqual([400]);
        expect((await call("/api/x")).status).toBe(200);
      },
    );

    test("OPTIONS * names the methods of the server", async () => {
      const answer = await send("OPTIONS *");
      expect(statusesOf(answer)).toEqual([204]);
      expect(answer).toContain("Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    });

    test("a missing or invalid host is rejected", async () => {
      expect(statusesOf(await raw("GET /api/x HTTP/1.1\r\nConnection: close\r\n\r\n"))).toEqual([
        400,
      ]);
      expect(
        statusesOf(await raw("GET /api/x HTTP/1.1\r\nHost: a b/\r\nConnection: close\r\n\r\n")),
      ).toEqual([400]);
    });
  });

  describe("CORS", () => {
    const from = (origin: string, init: RequestInit = {}) =>
      call("/api/x", { ...init, headers: { ...(init.headers as object), Origin: origin } });
    test("CORS is off by default", async () => {
      const answer = await from("https://app.example.com");
      expect(corsHeadersOf(answer)).toEqual([]);
    });
    test("a listed origin is allowed by name and without credentials", async () => {
      environment.settings.corsOrigins = ["https://app.example.com"];
      const answer = await from("https://app.example.com");
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
      expect(answer.headers.get("access-control-allow-credentials")).toBe(null);
      expect(answer.headers.get("access-control-expose-headers")).toContain("ETag");
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(answer.headers.get("x-request-id")).not.toBe(null);
    });
    test.each([
      "https://evil.example",
      "null",
      "https://app.example.com.evil.example",
      "https://evilapp.example.com",
      "http://app.example.com",
      "https://app.example.com:8443",
      "https://APP.example.com",
      "*",
    ])("%s is not allowed, and the response varies by origin", async (origin) => {
      environment.settings.corsOrigins = ["https://app.example.com"];
      const answer = await from(origin);
      expect(corsHeadersOf(answer)).toEqual([]);
      expect(answer.headers.get("vary")).toBe("Origin");
      const preflight = await from(origin, {
        method: "OPTIONS",
        headers: { "Access-Control-Request-Method": "PATCH" },
      });
      expect(corsHeadersOf(preflight)).toEqual([]);
    });
    test("a preflight gets its response without a request to a service", async () => {
      environment.settings.corsOrigins = ["https://app.example.com"];
      const answer = await from("https://app.example.com", {
        method: "OPTIONS",
        headers: {
          "Access-Control-Request-Method": "PATCH",
          "Access-Control-Request-Headers": "authorization,content-type",
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("x-echo")).toBe(null);
      expect(answer.headers.get("access-control-allow-methods")).toContain("PATCH");
      expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization");
      expect(answer.headers.get("vary")).toContain("Origin");
    });
    test("a page can read error responses", async () => {
      environment.settings.corsOrigins = ["https://app.example.com"];
      const answer = await call("/nowhere", { headers: { Origin: "https://app.example.com" } });
      expect(answer.status).toBe(404);
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    });
  });

  test("internal headers of a caller have no effect in any spelling", async () => {
    const forged = await createAssertionSigner(secret)(
      { requestId: "f", clientAddress: "6.6.6.6" },
      "data-api",
    );
    for (const name of [
      "X-Rowhouse-Assertion",
      "x_rowhouse_assertion",
      "X-ROWHOUSE_ASSERTION",
      "x-Rowhouse_anything",
    ]) {
      const seen = await see("/api/x", { headers: { [name]: forged, "X-Mine": "1" } });
      expect(seen.edge.clientAddress).toBe("127.0.0.1");
      // A service never receives them, because it might store the headers.
      expect(Object.keys(seen.headers).filter((each) => /rowhouse/i.test(each))).toEqual([]);
      expect(seen.headers["x-mine"]).toBe("1");
    }
  });

  test("Connection: authorization does not remove the credential, and x-request-id stays the gateway's", async () => {
    const answer = await rawGet(
      "/api/x",
      "Authorization: Bearer a\r\nConnection: authorization, x-request-id\r\nX-Request-Id: r9\r\n",
    );
    expect(answer).toContain('"authorization":"Bearer a"');
    expect(answer).toContain('"requestId":"r9"');
  });

  test("a response is streamed without being buffered first", async () => {
    const answer = await call("/api/large");
    expect((await answer.arrayBuffer()).byteLength).toBe(2_000_000);
  });

  test("HEAD has the headers of GET and no body", async () => {
    const answer = await call("/api/x", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
  });

  test("health needs no credential", async () => {
    expect((await call("/livez")).status).toBe(200);
    expect((await call("/readyz")).status).toBe(200);
  });

  test("a caller that disconnects does not affect others", async () => {
    await new Promise<void>((resolve) => {
      const outgoing = openRequest(`${environment.server.url}/api/never`).on("error", () =>
        resolve(),
      );
      outgoing.end();
      setTimeout(() => outgoing.destroy(), 50);
    });
    expect((await call("/api/x")).status).toBe(200);
  });
});

function corsHeadersOf(answer: Response): string[] {
  return [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
}
