// Tiers: usual, topologies.
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const path = "/workflow-secrets";
const value = "canary-value-1";
const sealedOf = async (name: string) => {
  const [row] = await api.test.database.query<{ sealed: string }>(
    "select sealed from system.workflow_secrets where name = $1::text",
    [name],
  );
  return row?.sealed;
};

it("a secret can be written, replaced and deleted, and is never returned", async () => {
  const created = await api.ask("POST", path, {
    name: "CRM_KEY",
    value,
    description: "Of the CRM",
  });
  expect(created.status).toBe(201);
  expect(Object.keys(created.body.data)).toEqual([
    "name",
    "description",
    "createdAt",
    "updatedAt",
    "usedBy",
  ]);
  const sealed = await sealedOf("CRM_KEY");
  expect((await api.ask("POST", path, { name: "CRM_KEY", value: "another one" })).faults).toEqual([
    "CONFLICT /data/name",
  ]);
  expect(await sealedOf("CRM_KEY")).toBe(sealed);

  const described = await api.ask("PATCH", `${path}/CRM_KEY`, { description: "" });
  expect(described.body.data).toMatchObject({ name: "CRM_KEY", description: "" });
  expect(await sealedOf("CRM_KEY")).toBe(sealed);
  const replaced = await api.ask("PATCH", `${path}/CRM_KEY`, { value: "canary-value-2" });
  expect(replaced.status).toBe(200);
  expect(await sealedOf("CRM_KEY")).not.toBe(sealed);
  expect((await api.ask("PATCH", `${path}/CRM_KEY`, {})).status).toBe(200);

  const shown = [
    await api.ask("GET", path),
    await api.ask("GET", `${path}?search=crm`),
    await api.ask("GET", `${path}/CRM_KEY`),
    await api.ask("GET", "/audit-log"),
  ];
  expect(JSON.stringify([created, described, replaced, shown])).not.toContain("canary");
  expect((await api.ask("DELETE", `${path}/CRM_KEY`)).status).toBe(204);
  for (const method of ["GET", "DELETE"]) {
    expect((await api.ask(method, `${path}/CRM_KEY`)).faults).toEqual(["NOT_FOUND"]);
  }
  expect((await api.ask("PATCH", `${path}/CRM_KEY`, { value })).faults).toEqual(["NOT_FOUND"]);

  const entries = await api.ask("GET", "/audit-log?limit=10");
  const mine = entries.body.data
    .filter((entry: { targetKind: string }) => entry.targetKind === "workflow_secret")
    .map(({ action, targetId, changedFields }: Record<string, unknown>) => [
      action,
      targetId,
      changedFields,
    ]);
  expect(mine.reverse()).toEqual([
    ["workflow_secret.create", "CRM_KEY", []],
    ["workflow_secret.update", "CRM_KEY", ["description"]],
    ["workflow_secret.update", "CRM_KEY", ["value"]],
    ["workflow_secret.delete", "CRM_KEY", []],
  ]);
});

it("a secret lists the published workflows that use it", async () => {
  for (const name of ["USED", "USED_NOT", "SIGNS"]) await api.ask("POST", path, { name, value });
  const executeAs = api.admin.id;
  const request = (token: string) => ({
    id: "ask",
    kind: "httpRequest",
    url: "https://example.org",
    auth: { kind: "bearer", token },
  });
  const flows = {
    plain: { trigger: { kind: "manual", executeAs }, steps: [request("x {{ secrets.USED }}")] },
    quoted: { trigger: { kind: "manual", executeAs }, steps: [request('{{secrets["USED"]}}')] },
    signed: {
      trigger: { kind: "webhook", executeAs, signature: { kind: "GITHUB", secrets: ["SIGNS"] } },
      steps: [{ id: "end", kind: "finish", result: "secrets.USED_NOT" }],
    },
    draft: { trigger: { kind: "manual", executeAs }, steps: [request("{{secrets.USED_NOT}}")] },
  };
  for (const [slug, definition] of Object.entries(flows)) {
    const made = await api.ask("POST", "/workflows", { slug, name: slug, definition });
    expect(made.status).toBe(201);
    if (slug === "draft") continue;
    const published = await api.ask("POST", `/workflows/${made.body.data.id}/publish`);
    expect([slug, published.status]).toEqual([slug, 200]);
  }
  const usedBy = async (name: string) => (await api.ask("GET", `${path}/${name}`)).body.data.usedBy;
  expect(await usedBy("USED")).toEqual(["plain", "quoted"]);
  expect(await usedBy("USED_NOT")).toEqual([]);
  expect(await usedBy("SIGNS")).toEqual(["signed"]);
  for (const name of ["USED", "USED_NOT", "SIGNS"]) await api.ask("DELETE", `${path}/${name}`);
});

it("secrets are listed by name, page by page", async () => {
  const names = ["B_1", "A", "B", "AB"];
  for (const name of names) await api.ask("POST", path, { name, value });
  const first = await api.ask("GET", `${path}?limit=3`);
  const cursor = first.body.meta.nextCursor;
  const second = await api.ask("GET", `${path}?limit=3&cursor=${cursor}`);
  const found = [...first.body.data, ...second.body.data].map(({ name }) => name);
  expect(found).toEqual([...names].sort());
  expect(second.body.meta.nextCursor).toBeNull();
  expect((await api.ask("GET", `${path}?cursor=x`)).faults).toEqual(["QUERY_INVALID cursor"]);
});

it.each([
  ["a name in lower case", { name: "crm", value }, "/data/name"],
  ["a name that is too long", { name: "A".repeat(64), value }, "/data/name"],
  ["a name that begins with a digit", { name: "1A", value }, "/data/name"],
  ["no value", { name: "X" }, "/data/value"],
  ["a value that other texts contain by chance", { name: "X", value: "1234567" }, "/data/value"],
  ["a value that is too long", { name: "X", value: "x".repeat(4097) }, "/data/value"],
  ["a value that was copied with its line end", { name: "X", value: `${value}\n` }, "/data/value"],
  ["a value that is no text", { name: "X", value: 12345678 }, "/data/value"],
])("%s is refused", async (_what, data, pointer) => {
  const answer = await api.ask("POST", path, data);
  expect([answer.status, answer.faults]).toEqual([400, [`BODY_INVALID ${pointer}`]]);
  expect(JSON.stringify(answer.body)).not.toContain("canary");
});

it("no role can read the stored secret, even if the table is exposed", async () => {
  const columns = await api.test.database.query<{ column_name: string }>(
    "select column_name from system.secret_columns where relation_oid = 'system.workflow_secrets'::regclass",
  );
  expect(columns).toEqual([{ column_name: "sealed" }]);
});

it("secrets of providers are apart from those of workflows, with the same routes", async () => {
  const providers = "/provider-secrets";
  const one = { name: "AUTH_CORP_SECRET", value: "canary-of-providers" };
  expect((await api.ask("POST", providers, one)).body.data).toMatchObject({
    name: "AUTH_CORP_SECRET",
    usedBy: [],
  });
  expect((await api.ask("GET", `${path}/AUTH_CORP_SECRET`)).faults).toEqual(["NOT_FOUND"]);
  expect((await api.ask("POST", path, one)).status).toBe(201);
  expect((await api.ask("POST", providers, one)).faults).toEqual(["CONFLICT /data/name"]);
  expect((await api.ask("DELETE", `${path}/AUTH_CORP_SECRET`)).status).toBe(204);
  const changed = await api.ask("PATCH", `${providers}/AUTH_CORP_SECRET`, {
    value: "canary-of-providers-2",
    description: "Of the company",
  });
  expect(changed.body.data).toMatchObject({ description: "Of the company" });
  const shown = [changed, await api.ask("GET", providers), await api.ask("GET", "/audit-log")];
  expect(JSON.stringify(shown)).not.toContain("canary");
  // A definition names secrets of workflows alone.
  const { body } = await api.ask("POST", "/workflows", {
    slug: "thief",
    name: "Thief",
    definition: {
      trigger: { kind: "webhook", executeAs: api.admin.id },
      steps: [
        {
          ...{ id: "ask", kind: "httpRequest", url: "https://example.com" },
          auth: { kind: "bearer", token: "{{secrets.AUTH_CORP_SECRET}}" },
        },
      ],
    },
  });
  expect((await api.ask("POST", `/workflows/${body.data.id}/publish`)).body.errors).toMatchObject([
    { code: "WORKFLOW_INVALID", message: "The secret AUTH_CORP_SECRET does not exist" },
  ]);
  expect((await api.ask("DELETE", `${providers}/AUTH_CORP_SECRET`)).status).toBe(204);
  const log = await api.ask("GET", "/audit-log?targetId=AUTH_CORP_SECRET");
  expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual([
    ...["provider_secret.delete", "provider_secret.update"],
    ...["workflow_secret.delete", "workflow_secret.create", "provider_secret.create"],
  ]);
});

it("a provider whose issuer changes needs its client secret again", async () => {
  const { body } = await api.ask("POST", "/auth-providers", {
    ...{ key: "corp", kind: "oidc", name: "Corp", issuer: "https://id.example.com" },
    ...{ clientId: "c", clientSecret: "the first secret" },
  });
  const one = `/auth-providers/${body.data.id}`;
  const sealed = async () => {
    const [row] = await api.test.database.query<{ sealed: string; issuer: string }>(
      "select client_secret_sealed as sealed, issuer from system.auth_providers where key = 'corp'",
    );
    return row;
  };
  const before = await sealed();
  for (const issuer of ["https://evil.example.net", "https://id.example.com/realm"]) {
    const refused = await api.ask("PATCH", one, { issuer });
    expect(refused.faults).toEqual(["REQUIRED_FIELD /data/clientSecret"]);
    expect((await api.ask("PATCH", one, { issuer, name: "Other" })).status).toBe(400);
  }
  expect(await sealed()).toEqual(before);
  const same = { issuer: "https://id.example.com", name: "Corporation" };
  expect((await api.ask("PATCH", one, same)).status).toBe(200);
  const moved = { issuer: "https://id.example.net", clientSecret: "the secret of the new issuer" };
  expect((await api.ask("PATCH", one, moved)).status).toBe(200);
  const after = await sealed();
  expect(after?.issuer).toBe(moved.issuer);
  expect(after?.sealed).not.toBe(before?.sealed);
});
