// Tiers: usual, topologies.
import { createSecret, digestSecret } from "@rowhouse/access";
import { settingDefinitions } from "@rowhouse/settings";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let token = "";
beforeAll(async () => {
  api = await openTestEnvironment();
  token = await createAdminToken();
});
afterAll(() => api.test.drop());
beforeEach(() => api.test.database.query("delete from system.settings"));

async function createAdminToken(): Promise<string> {
  const { database } = api.test;
  const secret = createSecret("TOKEN");
  const [row] = await database.query<{ id: string }>(
    `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
     values ('${api.admin.id}', 'automation', 'admin', 1, now() + interval '1 day') returning id`,
  );
  await database.query(
    `insert into system.token_secrets (digest, token_id, is_current, expires_at)
     values ('${digestSecret(secret)}', '${row?.id}', true, now() + interval '1 day')`,
  );
  return secret;
}

interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly isSet: boolean;
}

const change = (changes: object, secret?: string) =>
  api.ask("PATCH", "/settings", changes, secret ?? api.admin.secret);
const settingOf = async (key: string): Promise<[unknown, boolean]> => {
  const { data } = (await api.ask("GET", "/settings")).body as { data: Setting[] };
  const setting = data.find((candidate) => candidate.key === key);
  return [setting?.value, setting?.isSet ?? false];
};
const stored = async () => {
  const rows = await api.test.database.query<{ text: string }>(
    "select key || '=' || value::text as text from system.settings order by key",
  );
  return rows.map(({ text }) => text);
};

describe("GET /admin/api/settings", () => {
  it("returns every setting with its value, default, type and description", async () => {
    const answer = await api.ask("GET", "/settings");
    expect(answer.status).toBe(200);
    expect(answer.body.data.map((setting: Setting) => setting.key)).toEqual(
      Object.keys(settingDefinitions),
    );
    expect(answer.body.data).toContainEqual({
      key: "data.max_limit",
      value: 1000,
      default: 1000,
      isSet: false,
      sessionOnly: false,
      description: "The highest `limit`",
      schema: { type: "integer", minimum: 1, maximum: 100_000 },
    });
    expect(answer.body.data).toContainEqual(
      expect.objectContaining({ key: "mcp.enabled", value: false, sessionOnly: true }),
    );
  });

  it("shows a setting with an invalid stored value as not set", async () => {
    await api.test.database.query(
      `insert into system.settings (key, value) values ('data.max_limit', '"many"'), ('no.such', '1')`,
    );
    expect(await settingOf("data.max_limit")).toEqual([1000, false]);
  });
});

describe("PATCH /admin/api/settings", () => {
  it("changes several settings together, and null restores a default", async () => {
    const answer = await change({
      "data.max_limit": 500,
      "system.timezone": "Europe/Oslo",
      "security.cors_origins": ["https://app.example.com"],
      "security.trusted_proxies": ["10.0.0.0/8", "2001:db8::1"],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toContainEqual(
      expect.objectContaining({ key: "data.max_limit", value: 500, default: 1000, isSet: true }),
    );
    expect(await settingOf("system.timezone")).toEqual(["Europe/Oslo", true]);
    expect((await change({ "data.max_limit": null, "system.timezone": null })).status).toBe(200);
    expect(await settingOf("data.max_limit")).toEqual([1000, false]);
    expect(await stored()).toEqual([
      'security.cors_origins=["https://app.example.com"]',
      'security.trusted_proxies=["10.0.0.0/8", "2001:db8::1"]',
    ]);
  });

  it("writes an audit entry with names and without values", async () => {
    await change({ "system.public_url": "https://secret-host.example.com", "mcp.enabled": true });
    const log = await api.ask("GET", "/audit-log?action=settings.update&limit=1");
    expect(log.body.data).toMatchObject([
      {
        actorUserId: api.admin.id,
        changedFields: ["system.public_url", "mcp.enabled"],
        outcome: "SUCCEEDED",
      },
    ]);
    expect(JSON.stringify(log.body)).not.toContain("secret-host");
  });

  it("refuses invalid values, each with its path, without a change", async () => {
    const answer = await change({
      "data.max_limit": 0,
      "data.default_limit": "50",
      "system.timezone": "Mars/Base",
      "system.public_url": "javascript:alert(1)",
      "security.cors_origins": ["https://a.example", "*"],
      "security.trusted_proxies": ["10.0.0.0/99"],
      "workflows.allowed_hosts": ["http://a.example/path"],
      "auth.registration_role": "drivers",
      "auth.registration_enabled": 1,
      "no.such": true,
      "limits.body_bytes": 2048,
    });
    expect(answer.status).toBe(400);
    expect(answer.faults.sort()).toEqual([
      "BODY_INVALID /data/auth.registration_enabled",
      "BODY_INVALID /data/auth.registration_role",
      "BODY_INVALID /data/data.default_limit",
      "BODY_INVALID /data/data.max_limit",
      "BODY_INVALID /data/no.such",
      "BODY_INVALID /data/security.cors_origins/1",
      "BODY_INVALID /data/security.trusted_proxies/0",
      "BODY_INVALID /data/system.public_url",
      "BODY_INVALID /data/system.timezone",
      "BODY_INVALID /data/workflows.allowed_hosts/0",
    ]);
    expect(await stored()).toEqual([]);
    for (const key of ["__proto__", "constructor"]) {
      expect((await api.send("PATCH", "/settings", `{"data":{"${key}":1}}`)).status).toBe(400);
    }
  });

  it("refuses values that conflict with one another or with present settings", async () => {
    const [admins] = (await api.ask("GET", "/roles?search=administrators")).body.data;
    const [drivers] = (await api.ask("GET", "/roles?search=drivers")).body.data;
    expect((await change({ "data.default_limit": 2000 })).faults).toEqual([
      "VALUE_INVALID /data/data.default_limit",
    ]);
    expect((await change({ "data.max_limit": 49 })).faults).toEqual([
      "VALUE_INVALID /data/data.max_limit",
    ]);
    expect((await change({ "data.max_limit": 40, "data.default_limit": 40 })).status).toBe(200);
    expect((await change({ "data.default_limit": null })).faults).toEqual([
      "VALUE_INVALID /data/data.max_limit",
    ]);
    for (const role of [nobody, admins.id]) {
      expect(
        (await change({ "auth.registration_role": role, "mcp.enabled": true })).faults,
      ).toEqual(["VALUE_INVALID /data/auth.registration_role"]);
    }
    expect((await change({ "auth.registration_role": drivers.id })).status).toBe(200);
    expect(await stored()).toEqual([
      `auth.registration_role="${drivers.id}"`,
      "data.default_limit=40",
      "data.max_limit=40",
    ]);
  });

  it("accepts a token, but refuses the whole change if one setting requires a session", async () => {
    expect((await change({ "data.max_limit": 900 }, token)).status).toBe(200);
    for (const key of ["mcp.enabled", "sql_console.allow_api_tokens"]) {
      for (const value of [true, false, null]) {
        const answer = await change({ [key]: value, "data.max_limit": 800 }, token);
        expect([answer.status, answer.faults]).toEqual([403, ["SESSION_REQUIRED"]]);
      }
      expect((await change({ [key]: true })).status).toBe(200);
      expect(await settingOf(key)).toEqual([true, true]);
    }
    expect(await settingOf("data.max_limit")).toEqual([900, true]);
    const log = await api.ask("GET", "/audit-log?action=settings.update");
    expect(log.body.data).toContainEqual(
      expect.objectContaining({
        outcome: "FAILED",
        actorUserId: api.admin.id,
        actorTokenId: expect.any(String),
        changedFields: ["data.max_limit", "mcp.enabled"],
      }),
    );
  });

  it("leaves valid settings after two concurrent changes of related settings", async () => {
    await change({ "data.max_limit": 100, "data.default_limit": 50 });
    const answers = await Promise.all([
      change({ "data.max_limit": 60 }),
      change({ "data.default_limit": 90 }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
