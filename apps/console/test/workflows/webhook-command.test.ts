import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { curlCommand } from "../../src/workflows/form/webhook-command.ts";

const run = promisify(execFile);

interface Call {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let calls: Call[] = [];
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  calls.push({ method, url, headers, body });
  response.end();
});
beforeAll(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", () => done())));
afterAll(() => new Promise((done) => server.close(done)));

const secret = 'a key with $(signs) and "quotes"';

/** Runs the command in a shell, and returns the call that arrived. */
async function callOf(trigger: Readonly<Record<string, unknown>>, key = secret): Promise<Call> {
  const { port } = server.address() as AddressInfo;
  calls = [];
  const command = curlCommand(trigger, `http://127.0.0.1:${port}/api/workflows/a/webhook`);
  const env = { PATH: process.env.PATH ?? "", SECRET: key, TOKEN: "t-1" };
  await run("sh", ["-c", `set -e\n${command}`], { env });
  const [call, ...more] = calls;
  if (call === undefined || more.length > 0) throw new Error("the command did not call once");
  return call;
}

const hmac = (text: string, key: string | Buffer = secret) =>
  createHmac("sha256", key).update(text);

it("the command without a signature sends JSON, by GET a parameter, and the token where it is needed", async () => {
  const plain = await callOf({ kind: "webhook" });
  expect(JSON.parse(plain.body)).toEqual({ key: "value" });
  expect(plain.headers).toMatchObject({ "content-type": "application/json" });
  expect(plain.headers.authorization).toBeUndefined();
  const asked = await callOf({ method: "GET", access: "AUTHENTICATED" });
  expect(asked).toMatchObject({ method: "GET", url: "/api/workflows/a/webhook?key=value" });
  expect(asked.headers.authorization).toBe("Bearer t-1");
});

it("the command signs as each kind of signature requires", async () => {
  const github = await callOf({ signature: { kind: "GITHUB", secrets: ["A"] } });
  expect(github.headers["x-hub-signature-256"]).toBe(`sha256=${hmac(github.body).digest("hex")}`);

  const stripe = await callOf({ signature: { kind: "STRIPE", secrets: ["A"] } });
  const [, time, digest] =
    /^t=(\d+),v1=(.*)$/.exec(String(stripe.headers["stripe-signature"])) ?? [];
  expect(digest).toBe(hmac(`${time}.${stripe.body}`).digest("hex"));

  const key = Buffer.from("0123456789abcdef\u0000\u00ff");
  const standard = await callOf(
    { signature: { kind: "STANDARD_WEBHOOKS", secrets: ["A"] } },
    `whsec_${key.toString("base64")}`,
  );
  const { "webhook-id": id, "webhook-timestamp": at } = standard.headers;
  expect(standard.headers["webhook-signature"]).toBe(
    `v1,${hmac(`${id}.${at}.${standard.body}`, key).digest("base64")}`,
  );

  const own = { kind: "HMAC", header: "X-Sig", prefix: "v=", encoding: "BASE64", secrets: ["A"] };
  const signed = await callOf({ signature: own });
  expect(signed.headers["x-sig"]).toBe(`v=${hmac(signed.body).digest("base64")}`);
  const plain = await callOf({ signature: { kind: "HMAC", header: "X-Sig", secrets: ["A"] } });
  expect(plain.headers["x-sig"]).toBe(hmac(plain.body).digest("hex"));
});

it("nothing of a definition runs in the shell", async () => {
  const prefix = `'; touch /tmp/x; $(exit 7) \`exit 8\` "`;
  const { headers, body } = await callOf({
    signature: { kind: "HMAC", header: "X-Sig", prefix, secrets: ["A"] },
  });
  expect(headers["x-sig"]).toBe(`${prefix}${hmac(body).digest("hex")}`);
});
