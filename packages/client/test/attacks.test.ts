import { createServer, type Server } from "node:http";
import { inspect } from "node:util";
import { findFreePort } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, RowhouseError } from "../src/index.ts";
import { failureOf, type Garage, startGarage } from "./environment.ts";

let garage: Garage;
const servers: Server[] = [];
beforeAll(async () => {
  garage = await startGarage();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await garage.environment.stop();
});

/** Starts a server that is not the service. */
async function startServer(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(respond);
  servers.push(server);
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${port}`;
}

const token = "rhp_SECRETSECRETSECRETSECRETSECRETSECRET";
const responding = (status: number, text: string, type = "application/json") =>
  createClient({
    url: "http://service.invalid",
    token,
    repeats: 0,
    fetch: async () => new Response(text, { status, headers: { "Content-Type": type } }),
  });

describe("names of tables and keys", () => {
  it("reach the service unchanged", async () => {
    const odd = garage.client().from('garage."a.b "" ? #/%2F"');
    await odd.create({ "a,b": 1, "-x": "é" });
    const { rows } = await odd.list({
      fields: ['"a,b"', '"-x"'],
      where: { '"a,b"': { _eq: 1 } },
      orderBy: '-"-x"',
    });
    expect(rows).toEqual([{ "a,b": 1, "-x": "é" }]);
    const same = garage.client().from({ schema: "garage", name: 'a.b " ? #/%2F' });
    expect((await same.get(1)).row).toEqual({ "a,b": 1, "-x": "é" });
  });

  it.each([
    "a/b",
    "..%2f",
    "%2e%2e",
    "?x=1",
    "#x",
    "a,b",
    "",
    ",",
    "a b+c",
    "\\",
    "نعم",
    "...",
    "x/../y",
  ])("the key %s selects its own row", async (id) => {
    const list = garage.client().from("garage.قائمة");
    await list.create({ id });
    expect((await list.get(id)).row).toEqual({ id });
    await list.remove(id);
  });

  it.each([".", "..", "", "\ud800"])("%j is a TypeError before any request", async (name) => {
    const client = garage.client();
    expect(() => client.from({ schema: "garage", name })).toThrow(TypeError);
    expect(() => client.from({ schema: name, name: "cars" })).toThrow(TypeError);
    const key = name === "" ? [] : name;
    expect(await failureOf(client.from("garage.cars").get(key))).toBeInstanceOf(TypeError);
    expect(await failureOf(client.workflows.call(name))).toBeInstanceOf(TypeError);
    const role = client.admin.get("/roles/{id}", { path: { id: name } });
    expect(await failureOf(role)).toBeInstanceOf(TypeError);
  });

  it.each(["cars", "a.b.c", "../x.y", ".cars", 'a."b', "", "a.", '"a"b.c'])(
    "%j is not a name of a resource",
    (name) => {
      expect(() => garage.client().from(name)).toThrow(TypeError);
    },
  );
});

describe("a filter", () => {
  it("with an undefined value is a TypeError, since it would match every row", async () => {
    const cars = garage.client().from("garage.cars");
    const where = { owner_id: { _eq: undefined } };
    expect(await failureOf(cars.removeMany({ where, maxAffected: 1000 }))).toBeInstanceOf(
      TypeError,
    );
    expect(await failureOf(cars.list({ where }))).toBeInstanceOf(TypeError);
    const deep = { services: { where: { number: { _in: [] } } } };
    const read = garage
      .client()
      .from("garage.cars")
      .list({ fields: ["services.number"], deep });
    expect(await failureOf(read)).toBeInstanceOf(TypeError);
  });
});

describe("the token", () => {
  it("is in no error, no log of the client and no JSON", async () => {
    const port = await findFreePort();
    const client = createClient({ url: `http://127.0.0.1:${port}`, token, repeats: 0 });
    const error = await failureOf(client.from("garage.cars").list());
    expect(error).toMatchObject({ code: "NETWORK_ERROR" });
    const shown = [error, client, client.auth, client.from("a.b")].map((each) =>
      inspect(each, { depth: 20, showHidden: true, getters: false }),
    );
    const written = JSON.stringify([error, client, client.auth, client.from("a.b")]);
    expect(`${shown.join()}${written}`).not.toContain("SECRET");
  });

  it.each([`${token}\n`, `${token}\r\nX: y`, `${token} x`, `${token}é`, ""])(
    "that cannot stand in a header is a TypeError without it",
    async (bad) => {
      const url = garage.environment.url;
      const created = await failureOf((async () => createClient({ url, token: bad }))());
      expect(created).toBeInstanceOf(TypeError);
      const renewed = createClient({ url, token, onUnauthorized: async () => bad });
      const error = await failureOf(renewed.auth.me());
      expect(error).toBeInstanceOf(TypeError);
      expect(inspect([created, error])).not.toContain("SECRET");
    },
  );

  it("and a password in the URL are not repeated in the error", () => {
    for (const url of ["http://me:SECRET@x.y", "SECRET", "file:///SECRET", "https://x.y?SECRET"]) {
      const error = (() => {
        try {
          return createClient({ url, token });
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(TypeError);
      expect(inspect(error)).not.toContain("SECRET");
    }
  });

  it.each([301, 302, 303, 307, 308])("and bodies follow no redirect (%i)", async (status) => {
    const seen: unknown[] = [];
    const thief = await startServer((request, response) => {
      seen.push(request.headers.authorization, request.url);
      response.end("{}");
    });
    const url = await startServer((_request, response) => {
      response.writeHead(status, { Location: `${thief}/?next=secret` }).end();
    });
    const client = createClient({ url, token });
    for (const call of [
      client.from("a.b").list(),
      client.from("a.b").create({ a: 1 }),
      client.auth.signIn({ email: "a@example.com", password: "secret" }),
    ]) {
      expect(await failureOf(call)).toMatchObject({
        code: "REDIRECT_REFUSED",
        message: `The service redirects to ${thief}; no redirect is followed`,
      });
    }
    expect(seen).toEqual([]);
  });

  it("that is rejected again after a renewal leads to one error and no loop", async () => {
    let calls = 0;
    const client = garage.client({
      token,
      onUnauthorized: async () => {
        calls += 1;
        return `${token}${calls}`;
      },
    });
    expect(await failureOf(client.auth.me())).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
    expect(calls).toBe(1);
  });
});

describe("a response that is not the service's", () => {
  it.each([
    [200, "<html>SECRET"],
    [200, ""],
    [200, "[]"],
    [200, '{"data": 5}'],
    [200, '{"data": {"'],
    [200, "null"],
    [200, `${"[".repeat(200_000)}`],
    [502, "<html>SECRET"],
    [500, ""],
    [400, '{"errors": "no list"}'],
    [400, '{"errors": []}'],
    [400, '{"errors": [null, 1, {"code": 5, "message": "x"}]}'],
    [404, `{"errors": ${"[".repeat(200_000)}`],
  ])("with status %i and body %.30s is one error without its body", async (status, text) => {
    const error = await failureOf(responding(status, text, "text/html").from("a.b").list());
    expect(error).toBeInstanceOf(RowhouseError);
    expect(error).toMatchObject({ code: "RESPONSE_INVALID", status });
    expect(inspect(error)).not.toContain("SECRET");
  });

  it("changes no prototype", async () => {
    const fault = '{"code":"X","message":"m","path":"__proto__","__proto__":{"polluted":1},';
    const text = `{"errors":[${fault}"details":{"__proto__":{"polluted":1}}}],"__proto__":{"polluted":1}}`;
    const error = await failureOf(responding(400, text).from("a.b").list());
    if (!(error instanceof RowhouseError)) throw error;
    expect(error.faultsByPath.get("__proto__")).toHaveLength(1);
    expect(error.code).toBe("X");
    const row = '{"data":[{"__proto__":{"polluted":12345678901234567890},"constructor":1}]}';
    const { rows } = await responding(200, row).from("a.b").list();
    expect(Object.keys(rows[0] ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Reflect.get({}, "polluted")).toBe(undefined);
  });

  it("is not sought for a GET with a body", async () => {
    const call = garage.client().workflows.call("echo", {}, { method: "GET" });
    expect(await failureOf(call)).toBeInstanceOf(TypeError);
  });

  it("cannot fill a path from a prototype", async () => {
    const path = JSON.parse("{}");
    const call = garage.client().admin.get("/roles/{id}", { path });
    expect(await failureOf(call)).toBeInstanceOf(TypeError);
  });
});
