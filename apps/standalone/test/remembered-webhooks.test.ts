// Tiers: all, topologies. One of the slowest.
import { randomUUID } from "node:crypto";
import { createRole, createSession, createToken, createUser, moveClock } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EventEnvironment, openEventEnvironment } from "./event-environment.ts";

// The checks of a call are remembered: the next call with the same credential proves them in the statement that writes
// its run. The order of errors and the rights of each call must be those of a call that is checked in order.

let environment: EventEnvironment;
beforeAll(async () => {
  environment = await openEventEnvironment();
});
afterAll(() => environment.stop());

const finish = (result: unknown) => [{ id: "end", kind: "finish", result }];
const webhook = { kind: "webhook", access: "AUTHENTICATED" };
const change = (text: string, ...values: string[]) => environment.sql(text, values);

interface World {
  readonly id: string;
  readonly slug: string;
  readonly userId: string;
  readonly callersId: string;
  readonly session: string;
  readonly token: { readonly id: string; readonly secret: string };
}

/** A workflow, and a user with a session and a token whose calls of it were accepted before. */
async function openWorld(trigger: object = {}): Promise<World> {
  const { database } = environment.test;
  const slug = `flow-${randomUUID().slice(0, 8)}`;
  const definition = {
    trigger: { ...webhook, ...trigger },
    steps: finish("{{start.data.body.n}}"),
  };
  const made = await environment.admin("POST", "/workflows", { slug, name: slug, definition });
  const { id } = made.body.data as { id: string };
  for (const verb of ["publish", "enable"]) {
    expect((await environment.admin("POST", `/workflows/${id}/${verb}`)).status).toBe(200);
  }
  const [callersId, otherId] = [
    await createRole(database, `Callers of ${slug}`),
    await createRole(database, `Others of ${slug}`),
  ];
  const { id: userId } = await createUser(database, `${slug}@example.com`);
  for (const role of [callersId, otherId]) {
    await environment.admin("POST", `/roles/${role}/members`, { userId });
  }
  await environment.admin("POST", `/workflows/${id}/invoke-grants`, { roleId: callersId });
  const session = await createSession(database, userId);
  const token = await createToken(database, userId, "api");
  const world = { id, slug, userId, callersId, session, token };
  for (const secret of [session, token.secret, session, token.secret]) {
    expect((await call(world, { secret })).code).toBe(200);
  }
  return world;
}

interface CallOptions {
  readonly secret?: string;
  readonly method?: string;
  readonly body?: string;
}

/** Returns 200 and the result, or the code of the error. */
async function call(
  { slug, session }: Pick<World, "slug" | "session">,
  { secret = session, method = "POST", body = '{"n":1}' }: CallOptions = {},
) {
  const answer = await fetch(`${environment.url()}/api/workflows/${slug}/webhook`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    ...(method === "POST" ? { body } : {}),
  });
  const { data, errors } = (await answer.json()) as {
    data?: { result: unknown };
    errors?: [{ code: string }];
  };
  return { code: errors?.[0].code ?? answer.status, result: data?.result };
}

const countRuns = async ({ id }: World): Promise<number> => {
  const [row] = await environment.sql<{ count: number }>(
    "select count(*)::integer as count from system.workflow_runs where workflow_id = $1::text::uuid",
    [id],
  );
  return row?.count ?? 0;
};

it("a remembered call reads neither the roles of its caller nor the invoke grants of others", async () => {
  const world = await openWorld();
  const stranger = await createSession(environment.test.database, world.userId);
  await environment.test.database.transaction(async (transaction) => {
    await transaction.query("lock table system.role_members in access exclusive mode");
    expect(await call(world, { body: '{"n":2}' })).toEqual({ code: 200, result: 2 });
    expect((await call(world, { secret: world.token.secret })).code).toBe(200);
  });
  expect((await call(world, { secret: stranger })).code).toBe(200);
});

describe("the next call after a change gets its answer", () => {
  const bySession: readonly (readonly [string, (world: World) => Promise<unknown>, string])[] = [
    [
      "the session ended",
      ({ userId }) => change("delete from system.sessions where user_id = $1::text::uuid", userId),
      "AUTHENTICATION_REQUIRED",
    ],
    [
      "the user is inactive",
      ({ userId }) => environment.admin("PATCH", `/users/${userId}`, { active: false }),
      "AUTHENTICATION_REQUIRED",
    ],
    [
      "no role has API access",
      ({ slug }) =>
        change("update system.roles set api_access = false where name like '%' || $1::text", slug),
      "AUTHENTICATION_REQUIRED",
    ],
    [
      "the user has left the role",
      ({ callersId, userId }) =>
        environment.admin("DELETE", `/roles/${callersId}/members/${userId}`),
      "ACTION_DENIED",
    ],
    [
      "the role is deleted",
      ({ callersId }) => environment.admin("DELETE", `/roles/${callersId}`),
      "ACTION_DENIED",
    ],
    [
      "the invoke grant is removed",
      ({ id, callersId }) =>
        environment.admin("DELETE", `/workflows/${id}/invoke-grants/${callersId}`),
      "ACTION_DENIED",
    ],
    [
      "the workflow is disabled",
      ({ id }) => environment.admin("POST", `/workflows/${id}/disable`),
      "WORKFLOW_NOT_FOUND",
    ],
    [
      "the workflow is deleted",
      ({ id }) => environment.admin("DELETE", `/workflows/${id}`),
      "WORKFLOW_NOT_FOUND",
    ],
    [
      "the workflow has another slug",
      ({ id }) =>
        change(
          "update system.workflows set slug = slug || '-renamed' where id = $1::text::uuid",
          id,
        ),
      "WORKFLOW_NOT_FOUND",
    ],
    [
      "the workflow has no published version",
      ({ id }) =>
        change(
          "update system.workflows set published_version_id = null where id = $1::text::uuid",
          id,
        ),
      "WORKFLOW_NOT_FOUND",
    ],
  ];
  it.each(bySession)("after %s", async (_name, revoke, code) => {
    const world = await openWorld();
    const before = await countRuns(world);
    await revoke(world);
    const answers = await Promise.all([call(world), call(world, { body: "no" }), call(world)]);
    // An invalid body is reported only to a caller who may call the workflow.
    expect(answers.map((answer) => answer.code)).toEqual([code, code, code]);
    // A deleted workflow has no runs.
    expect(await countRuns(world)).toBeLessThanOrEqual(before);
    expect((await call(world, { method: "GET" })).code).toBe("WORKFLOW_NOT_FOUND");
  });

  it.each([
    [
      "revoked",
      (id: string) =>
        change("update system.tokens set revoked_at = now() where id = $1::text::uuid", id),
    ],
    [
      "inactive",
      (id: string) =>
        change("update system.tokens set active = false where id = $1::text::uuid", id),
    ],
  ])("after its token is %s", async (_name, revoke) => {
    const world = await openWorld();
    await revoke(world.token.id);
    const { secret } = world.token;
    expect((await call(world, { secret })).code).toBe("AUTHENTICATION_REQUIRED");
    expect((await call(world)).code).toBe(200);
  });

  it("after another version is published", async () => {
    const world = await openWorld();
    await environment.admin("PATCH", `/workflows/${world.id}`, {
      definition: { trigger: webhook, steps: finish("second") },
    });
    expect(await call(world)).toEqual({ code: 200, result: 1 });
    await environment.admin("POST", `/workflows/${world.id}/publish`);
    expect(await call(world)).toEqual({ code: 200, result: "second" });
    await environment.admin("PATCH", `/workflows/${world.id}`, {
      definition: { trigger: { ...webhook, method: "GET" }, steps: finish("third") },
    });
    await environment.admin("POST", `/workflows/${world.id}/publish`);
    expect((await call(world)).code).toBe("WORKFLOW_NOT_FOUND");
    expect(await call(world, { method: "GET" })).toEqual({ code: 200, result: "third" });
  });

  it("after the limit of a body is lowered", async () => {
    const world = await openWorld();
    const body = JSON.stringify({ n: 1, text: "x".repeat(4_000) });
    expect((await call(world, { body })).code).toBe(200);
    const limit = (bytes: number) =>
      environment.admin("PATCH", "/settings", { "limits.body_bytes": bytes });
    await limit(2_048);
    try {
      expect((await call(world, { body })).code).toBe("BODY_TOO_LARGE");
      expect((await call(world)).code).toBe(200);
    } finally {
      await limit(1_048_576);
    }
    expect((await call(world, { body })).code).toBe(200);
  });

  it("at the moment when a session expires", async () => {
    const world = await openWorld();
    try {
      await moveClock(environment.test.database, 3_601);
      expect((await call(world)).code).toBe("AUTHENTICATION_REQUIRED");
      expect((await call(world, { secret: world.token.secret })).code).toBe(200);
    } finally {
      await moveClock(environment.test.database, 0);
    }
  });
});

it("an invalid body of a remembered caller is reported as before, and starts no run", async () => {
  const world = await openWorld();
  const before = await countRuns(world);
  const answers = await Promise.all([
    call(world, { body: "no" }),
    call(world, { body: '{"a":"\\u0000"}' }),
    call(world, { body: JSON.stringify({ text: "x".repeat(2_000_000) }) }),
  ]);
  expect(answers.map(({ code }) => code)).toEqual([
    "WORKFLOW_WEBHOOK_INVALID_PAYLOAD",
    "BODY_INVALID",
    "BODY_TOO_LARGE",
  ]);
  expect(await countRuns(world)).toBe(before);
});

it("of many calls at once, only those of the revoked credential fail", async () => {
  const worlds = [await openWorld(), await openWorld()];
  const [first, second] = worlds as [World, World];
  await change("delete from system.sessions where user_id = $1::text::uuid", first.userId);
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const world = n % 2 === 0 ? first : second;
      const secret = n % 4 < 2 ? world.session : world.token.secret;
      return { n, ...(await call(world, { secret, body: `{"n":${n}}` })) };
    }),
  );
  for (const { n, code, result } of answers) {
    if (n % 4 === 0) expect(code).toBe("AUTHENTICATION_REQUIRED");
    else expect([code, result]).toEqual([200, n]);
  }
});

it("a call with a signature is checked in order: credential, signature, body", async () => {
  await environment.admin("POST", "/workflow-secrets", { name: "SIGNING", value: "long enough" });
  const { database } = environment.test;
  const world = await openWorld();
  await environment.admin("PATCH", `/workflows/${world.id}`, {
    definition: {
      trigger: {
        ...webhook,
        signature: { kind: "GITHUB", secrets: ["SIGNING"] },
      },
      steps: finish(1),
    },
  });
  const published = await environment.admin("POST", `/workflows/${world.id}/publish`);
  expect(published.body.errors).toBeUndefined();
  for (let time = 0; time < 2; time += 1) {
    expect((await call(world, { body: "no" })).code).toBe("AUTHENTICATION_REQUIRED");
  }
  await database.query("delete from system.workflow_invoke_grants where role_id = $1::text::uuid", [
    world.callersId,
  ]);
  expect((await call(world, { body: "no" })).code).toBe("ACTION_DENIED");
});
