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
    expect([await as("another secret"), await as("")]).toEqual([503, 503]);
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

  const key = Buffer.from("a key with ?>~ÿ of more than 24 bytes");
  const spellings = [
    `whsec_${key.toString("base64")}`,
    `v1,whsec_${key.toString("base64")}`,
    `whsec_${key.toString("base64url")}`,
    key.toString("base64"),
    key.toString("base64").replace(/=+$/, ""),
    key.toString("base64url"),
  ];
  const noKeys = [
    "!!!!!!!!!!",
    "whsec_AAAA",
    "whsec_ not base64 at all",
    "just a plain text",
    "v1,MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "v1a,whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  ];
  const signed = (by: string | Buffer) => {
    const now = String(Math.floor(Date.now() / 1000));
    const digest = createHmac("sha256", by).update(`id.${now}.{}`).digest("base64");
    return {
      "webhook-id": "id",
      "webhook-timestamp": now,
      "webhook-signature": `v1,${digest}`,
    };
  };
  const draft = async (kind: string, secrets: readonly string[]) => {
    count += 1;
    const slug = `signed-${count}`;
    const signature = { kind, secrets };
    const trigger = { kind: "webhook", executeAs: environment.admin.id, signature };
    const definition = { trigger, steps: [{ id: "end", kind: "finish" }] };
    const made = await administer("POST", "/workflows", { slug, name: slug, definition });
    return `/workflows/${made.body.data.id}/publish`;
  };
  const wrong = (name: string) =>
    expect.objectContaining({
      code: "WORKFLOW_INVALID",
      path: "/trigger/signature/secrets/1",
      message: `The secret ${name} must be whsec_ and the base64 of at least 16 bytes, which Standard Webhooks requires`,
    });

  it.each(spellings)("the secret is accepted as %s", async (value) => {
    const signature = { kind: "STANDARD_WEBHOOKS", secrets: [await keep(value)] };
    const { path } = await publish({ signature });
    expect((await send(path, "{}", signed(key))).status).toBe(202);
    expect(outcome(await send(path, "{}", signed(value)))).toEqual(refused);
  });

  it.each(noKeys)("a secret that cannot be a key is a fault when published: %j", async (value) => {
    const secrets = [await keep(spellings[0] ?? ""), await keep(value)];
    const answer = await administer("POST", await draft("STANDARD_WEBHOOKS", secrets));
    expect([answer.status, answer.body.errors]).toEqual([400, [wrong(secrets[1] ?? "")]]);
    const { kind, steps } = { kind: "webhook", steps: [{ id: "end", kind: "finish" }] };
    const signature = { kind: "STANDARD_WEBHOOKS", secrets };
    const definition = { trigger: { kind, executeAs: environment.admin.id, signature }, steps };
    const checked = await administer("POST", "/workflow-definitions/check", { definition });
    expect(checked.body.data.faults).toEqual([wrong(secrets[1] ?? "")]);
    expect((await administer("POST", await draft("GITHUB", secrets))).status).toBe(200);
  });

  it("a published secret is replaced only by a key, and a version that names another is not restored", async () => {
    const name = await keep(spellings[0] ?? "");
    const url = await draft("STANDARD_WEBHOOKS", [name]);
    expect((await administer("POST", url)).status).toBe(200);
    const replace = (value: string) => administer("PATCH", `/workflow-secrets/${name}`, { value });
    for (const value of noKeys) {
      const { status, body } = await replace(value);
      expect([status, body.errors]).toEqual([
        400,
        [expect.objectContaining({ code: "VALUE_INVALID", path: "/data/value" })],
      ]);
    }
    expect((await replace("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).status).toBe(200);
    expect((await administer("DELETE", `/workflow-secrets/${name}`)).status).toBe(204);
    const again = await administer("POST", "/workflow-secrets", { name, value: "a plain text" });
    expect(again.body.errors[0].path).toBe("/data/value");
    const rollBack = url.replace(/publish$/, "versions/1/publish");
    expect((await administer("POST", rollBack)).body.errors[0].message).toBe(
      `The secret ${name} does not exist`,
    );
  });

  it("a webhook whose secrets cannot be used answers 503, and no key signs a call", async () => {
    const name = await keep(spellings[0] ?? "");
    const { id, path } = await publish({
      signature: { kind: "STANDARD_WEBHOOKS", secrets: [name] },
    });
    const unusable = [503, ["SERVICE_UNAVAILABLE"]];
    // A value that an earlier version of the service has accepted.
    await environment.test.database.query(
      "alter table system.workflow_versions disable trigger user",
    );
    await environment.test.database.query(
      `update system.workflow_versions v set definition = replace(definition::text, $2::text, $3::text)::json
       from system.workflows w where w.published_version_id = v.id and w.id = $1::text::uuid`,
      [id, name, await keep("!!!!!!!!!!")],
    );
    await environment.test.database.query(
      "alter table system.workflow_versions enable trigger user",
    );
    for (const by of ["", "!!!!!!!!!!", key]) {
      expect(outcome(await send(path, "{}", signed(by)))).toEqual(unusable);
    }
    const { path: other } = await publish({
      signature: { kind: "GITHUB", secrets: [name] },
    });
    expect((await administer("DELETE", `/workflow-secrets/${name}`)).status).toBe(204);
    const signature = createHmac("sha256", "").update("{}").digest("hex");
    expect(
      outcome(await send(other, "{}", { "X-Hub-Signature-256": `sha256=${signature}` })),
    ).toEqual(unusable);
  });

  it("a secret that this installation cannot decrypt is a fault when published", async () => {
    const name = await keep("a key shared with GitHub");
    await environment.test.database.query(
      "update system.workflow_secrets set sealed = (select sealed from system.workflow_secrets where name <> $1::text limit 1) where name = $1::text",
      [name],
    );
    const answer = await administer("POST", await draft("GITHUB", [name]));
    expect(answer.body.errors[0]).toMatchObject({
      path: "/trigger/signature/secrets/0",
      message: `The secret ${name} cannot be decrypted; store its value again`,
    });
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
