// Tiers: usual, topologies.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// The published examples of senders, sent to the webhook of a workflow that verifies them.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.stop());

const administer = (method: string, path: string, data?: unknown): Promise<Answer> =>
  environment.ask(method, `/admin/api${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });

let count = 0;
/** Creates an enabled workflow; returns its URL and id. */
async function publish(trigger: object): Promise<{ id: string; path: string }> {
  count += 1;
  const slug = `signed-${count}`;
  const definition = {
    trigger: {
      kind: "webhook",
      response: "ASYNCHRONOUS",
      executeAs: environment.admin.id,
      ...trigger,
    },
    steps: [{ id: "end", kind: "finish" }],
  };
  const made = await administer("POST", "/workflows", { slug, name: slug, definition });
  const { id } = made.body.data;
  for (const verb of ["publish", "enable"]) {
    const answer = await administer("POST", `/workflows/${id}/${verb}`);
    expect([verb, answer.status, answer.faults]).toEqual([verb, 200, []]);
  }
  return { id, path: `/api/workflows/${slug}/webhook` };
}
async function keep(value: string): Promise<string> {
  count += 1;
  const name = `SIGNING_${count}`;
  expect((await administer("POST", "/workflow-secrets", { name, value })).status).toBe(201);
  return name;
}
const send = (path: string, raw: string, headers: Record<string, string>, as?: string) =>
  environment.ask("POST", path, { raw, headers, as });
const inputOf = async (run: string) => {
  const [row] = await environment.test.database.query<{ input: string }>(
    "select input::text from system.workflow_runs where id = $1::text::uuid",
    [run],
  );
  return row?.input ?? "";
};
const refused = [401, ["AUTHENTICATION_REQUIRED"]];
const outcome = ({ status, faults }: Answer) => [status, faults];

describe("GitHub", () => {
  const secret = "It's a Secret to Everybody";
  const sign = (body: string, key = secret) =>
    `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;

  it("its published example is accepted, and only then is the body parsed", async () => {
    const { path } = await publish({
      signature: { kind: "GITHUB", secrets: [await keep(secret)] },
    });
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const headers = { "X-Hub-Signature-256": signature };
    expect(outcome(await send(path, "Hello, World!", headers))).toEqual([
      400,
      ["WORKFLOW_WEBHOOK_INVALID_PAYLOAD"],
    ]);
    const changed = { "X-Hub-Signature-256": signature.replace(/7$/, "8") };
    for (const none of [{}, { "X-Hub-Signature-256": "" }, changed]) {
      expect(outcome(await send(path, "Hello, World!", none))).toEqual(refused);
    }
    expect(outcome(await send(path, "Hello, World", headers))).toEqual(refused);
  });

  it("covers the bytes as sent, not their meaning", async () => {
    const { path } = await publish({
      signature: { kind: "GITHUB", secrets: [await keep(secret)] },
    });
    const body = '{"a" :  1.50, "b": "\\u00e4ä"}';
    const headers = { "X-Hub-Signature-256": sign(body), "X-Hub-Signature": "sha1=legacy" };
    const accepted = await send(path, body, headers);
    expect(accepted.status).toBe(202);
    expect(outcome(await send(path, '{"a":1.50,"b":"ää"}', headers))).toEqual(refused);
    const input = await inputOf(accepted.body.data.run);
    expect(JSON.parse(input)).toMatchObject({
      body: { a: 1.5, b: "ää" },
      meta: { headers: { "x-hub-signature-256": "[redacted]", "x-hub-signature": "[redacted]" } },
    });
  });

  it("stays valid while a secret is rotated, and not after the old secret is removed", async () => {
    const [old, next] = [await keep("the old secret"), await keep("the next secret")];
    const { path } = await publish({ signature: { kind: "GITHUB", secrets: [old, next] } });
    const as = async (key: string) =>
      (await send(path, "{}", { "X-Hub-Signature-256": sign("{}", key) })).status;
    expect([await as("the old secret"), await as("the next secret")]).toEqual([202, 202]);
    await administer("PATCH", `/workflow-secrets/${next}`, { value: "another secret" });
    expect([await as("the next secret"), await as("another secret")]).toEqual([401, 202]);
    expect((await administer("DELETE", `/workflow-secrets/${old}`)).status).toBe(204);
    expect([await as("the old secret"), await as("another secret")]).toEqual([401, 202]);
    await administer("DELETE", `/workflow-secrets/${next}`);
    expect([await as("another secret"), await as("")]).toEqual([401, 401]);
  });

  it("is verified after credential and grant", async () => {
    const signature = { kind: "GITHUB", secrets: [await keep(secret)] };
    const { path, id } = await publish({ access: "AUTHENTICATED", signature });
    const good = { "X-Hub-Signature-256": sign("{}") };
    const anonymous = await send(path, "{}", good);
    expect([outcome(anonymous), anonymous.body.errors[0].message]).toEqual([
      refused,
      "Authentication required",
    ]);
    const { secret: caller } = environment.member;
    expect(outcome(await send(path, "{}", {}, caller))).toEqual([403, ["ACTION_DENIED"]]);
    const roles = await administer("GET", "/roles?search=Members");
    const roleId = roles.body.data[0].id;
    await administer("POST", `/workflows/${id}/invoke-grants`, { roleId });
    const unsigned = await send(path, "not even JSON", {}, caller);
    expect([outcome(unsigned), unsigned.body.errors[0].message]).toEqual([
      refused,
      "The signature is missing or not valid",
    ]);
    expect((await send(path, "{}", good, caller)).status).toBe(202);
  });
});

describe("Standard Webhooks", () => {
  const body = '{"test": 2432232314}';
  const sentAt = 1_614_265_330;
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": String(sentAt),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const goTo = (seconds: number) => environment.moveTime(seconds - Math.floor(Date.now() / 1000));

  it("its published example is accepted only at its time, and starts one run even if it is repeated", async () => {
    const secrets = [await keep("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")];
    const { path } = await publish({ signature: { kind: "STANDARD_WEBHOOKS", secrets } });
    try {
      await goTo(sentAt + 310);
      expect(outcome(await send(path, body, headers))).toEqual(refused);
      await goTo(sentAt);
      const first = await send(path, body, headers);
      expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([202, null]);
      const again = await send(path, body, headers);
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
      expect(again.body.data.run).toBe(first.body.data.run);
      expect(await inputOf(first.body.data.run)).not.toContain("g0hM9SsE");
      const renamed = { ...headers, "webhook-id": "msg_other" };
      expect(outcome(await send(path, body, renamed))).toEqual(refused);
      // An observer of the call cannot turn it into another one by a header that is not signed.
      const keyed = await send(path, body, { ...headers, "Idempotency-Key": "mine" });
      expect(keyed.body.data.run).toBe(first.body.data.run);
    } finally {
      await environment.moveTime(0);
    }
  });

  it("an invalid secret rejects every call", async () => {
    const now = String(Math.floor(Date.now() / 1000));
    for (const value of ["!!!!!!!!!!", "whsec_AAAA", "whsec_ not base64 at all"]) {
      const secrets = [await keep(value)];
      const { path } = await publish({ signature: { kind: "STANDARD_WEBHOOKS", secrets } });
      for (const key of ["", Buffer.from(value.replace("whsec_", ""), "base64")]) {
        const digest = createHmac("sha256", key).update(`id.${now}.{}`).digest("base64");
        const signed = {
          "webhook-id": "id",
          "webhook-timestamp": now,
          "webhook-signature": `v1,${digest}`,
        };
        expect(outcome(await send(path, "{}", signed))).toEqual(refused);
      }
    }
  });
});

describe("Stripe", () => {
  it("is verified as its guide describes, without old calls and other schemes", async () => {
    const secret = "whsec_test_secret";
    const signature = { kind: "STRIPE", toleranceSeconds: 60, secrets: [await keep(secret)] };
    const { path } = await publish({ signature });
    const body = '{"id": "evt_test_webhook", "object": "event"}';
    const now = Math.floor(Date.now() / 1000);
    const sign = (at: number) => createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    const header = async (text: string) =>
      (await send(path, body, { "Stripe-Signature": text })).status;
    expect(await header(`t=${now},v1=${sign(now)},v0=${"6".repeat(64)}`)).toBe(202);
    expect(await header(`t=${now},v1=${"0".repeat(64)},v1=${sign(now)}`)).toBe(202);
    expect(await header(`t=${now},v0=${sign(now)}`)).toBe(401);
    expect(await header(`t=${now - 90},v1=${sign(now - 90)}`)).toBe(401);
    expect(await header(`t=${now + 1},v1=${sign(now)}`)).toBe(401);
    expect(await header(`v1=${sign(now)}`)).toBe(401);
  });
});

describe("a header that the sender chooses", () => {
  it("contains an HMAC in base64, like that of a shop", async () => {
    const secrets = [await keep("shpss_0123456789")];
    const header = "X-Shopify-Hmac-Sha256";
    const { path } = await publish({
      signature: { kind: "HMAC", header, encoding: "BASE64", secrets },
    });
    const digest = createHmac("sha256", "shpss_0123456789").update("[1]").digest("base64");
    const accepted = await send(path, "[1]", { [header]: digest });
    expect(accepted.status).toBe(202);
    expect(await inputOf(accepted.body.data.run)).not.toContain(digest);
    expect((await send(path, "[2]", { [header]: digest })).status).toBe(401);
  });
});
