// Tiers: long, topologies. One of the slowest.
import { randomUUID } from "node:crypto";
import {
  createRole,
  createSession,
  createToken,
  createUser,
  moveClock,
  type TestToken,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EventEnvironment, openEventEnvironment } from "./event-environment.ts";

// A run keeps the token that started it: its steps may do only what both the user and the token may do at that time.
let environment: EventEnvironment;
/** Owns the tokens; the runs of some workflows execute as the first administrator. */
let owner: { readonly id: string; readonly email: string };
let admin: TestToken;
let api: TestToken;
let administratorsId: string;
beforeAll(async () => {
  environment = await openEventEnvironment();
  owner = await createUser(environment.test.database, "owner@example.com", "Administrators");
  administratorsId = (await environment.admin("GET", "/roles?search=administrators")).body.data[0]
    .id;
  for (const { id } of (await environment.admin("GET", "/resources?schema=system")).body.data) {
    const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
    expect((await environment.admin("PATCH", `/resources/${id}`, { exposedMethods })).status).toBe(
      200,
    );
  }
});
afterAll(() => environment.stop());
beforeEach(async () => {
  admin = await createToken(environment.test.database, owner.id, "admin");
  api = await createToken(environment.test.database, owner.id, "api");
});

interface Run {
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly step: string | null;
  } | null;
}

const callerOnly = { kind: "webhook", access: "AUTHENTICATED" };

/** Creates a published and enabled workflow. */
async function publish(trigger: object, steps: readonly object[]) {
  const slug = `flow-${randomUUID().slice(0, 8)}`;
  const definition = { trigger, steps };
  const made = await environment.admin("POST", "/workflows", { slug, name: slug, definition });
  expect(made.body?.errors).toBeUndefined();
  const { id } = made.body.data as { id: string };
  for (const verb of ["publish", "enable"]) {
    const answer = await environment.admin("POST", `/workflows/${id}/${verb}`);
    expect([verb, answer.body.data?.problem]).toEqual([verb, null]);
  }
  const granted = await environment.admin("POST", `/workflows/${id}/invoke-grants`, {
    roleId: administratorsId,
  });
  expect(granted.status).toBe(201);
  return { id, slug };
}

/** Calls a webhook, anonymously without a secret. */
async function call(slug: string, secret?: string, body: object = {}): Promise<Run> {
  const answer = await fetch(`${environment.url()}/api/workflows/${slug}/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text).data;
}

/** Sends a request to the Admin API with a token. */
async function administer(path: string, data: object, secret: string) {
  const answer = await fetch(`${environment.url()}/admin/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify({ data }),
  });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([expect.any(Number), expect.stringContaining('"data"')]);
  return JSON.parse(text).data;
}

/** Returns a run of a workflow once it has ended. */
async function ended(workflowId: string, runId: string) {
  const read = async () =>
    (await environment.admin("GET", `/workflows/${workflowId}/runs/${runId}`)).body.data;
  await expect
    .poll(async () => (await read()).finishedAt, { timeout: 60_000, interval: 100 })
    .not.toBeNull();
  return read();
}

/** Returns `actor token` of the entry about a role with this name. */
async function makerOf(name: string) {
  const [row] = await environment.sql<{ maker: string }>(
    `select concat(a.actor_user_id, ' ', a.actor_token_id) as maker
     from system.audit_log a join system.roles r on r.id::text = a.target_id
     where a.action = 'role.create' and r.name = $1::text`,
    [name],
  );
  return row?.maker;
}

const createsRole = (name: string) => ({
  id: "role",
  kind: "createRow",
  schema: "system",
  table: "roles",
  values: { name },
});

describe("a run that executes as the caller of its webhook", () => {
  it("can do with a token of the api plane nothing that requires Administrators, like the token itself", async () => {
    const person = await createUser(environment.test.database, "person@example.com");
    const { slug } = await publish(callerOnly, [
      {
        id: "promote",
        kind: "createRow",
        schema: "system",
        table: "role_members",
        values: { role_id: administratorsId, user_id: "{{start.data.body.user}}" },
      },
    ]);
    const refused = await call(slug, api.secret, { user: person.id });
    expect(refused).toMatchObject({
      status: "FAILED",
      error: { code: "ACTION_DENIED", step: "promote" },
    });
    expect(await call(slug, admin.secret, { user: person.id })).toMatchObject({
      status: "SUCCEEDED",
    });
    const [entry] = (await environment.admin("GET", `/audit-log?targetId=${person.id}`)).body.data;
    expect(entry).toMatchObject({
      action: "user.make_administrator",
      actorUserId: owner.id,
      actorTokenId: admin.id,
    });
  });

  it("changes no address and no state of its user, by a token or by a session", async () => {
    const user = { schema: "system", table: "users", where: { id: { _eq: owner.id } } };
    const steps = (values: object) => [{ id: "own", kind: "updateRows", ...user, values }];
    const [session] = await environment.sql<{ email: string }>(
      "select email from system.users where id = $1::text::uuid",
      [owner.id],
    );
    for (const values of [{ email: "mine@evil.example" }, { active: false }]) {
      const { slug } = await publish(callerOnly, steps(values));
      for (const secret of [
        api.secret,
        admin.secret,
        await createSession(environment.test.database, owner.id),
      ]) {
        expect(await call(slug, secret)).toMatchObject({
          status: "FAILED",
          error: { code: "ACTION_DENIED" },
        });
      }
      // An author, who may have used a token, chooses the user of a public webhook.
      for (const executeAs of [owner.id, environment.userId]) {
        if (executeAs === environment.userId && "active" in values) continue;
        const anyone = await publish(
          { kind: "webhook", access: "PUBLIC", executeAs },
          steps(values),
        );
        expect(await call(anyone.slug)).toMatchObject({
          status: "FAILED",
          error: { code: "ACTION_DENIED" },
        });
      }
    }
    const named = await publish(callerOnly, steps({ name: "Owner" }));
    expect(await call(named.slug, admin.secret)).toMatchObject({ status: "SUCCEEDED" });
    const [after] = await environment.sql<{ email: string }>(
      "select email from system.users where id = $1::text::uuid and active",
      [owner.id],
    );
    expect(after).toEqual(session);
  });
});

describe("a write of a run under a token", () => {
  it("is in the audit log with the token, whichever user it executes as", async () => {
    for (const [executeAs, actor] of [
      [undefined, owner.id],
      [environment.userId, environment.userId],
    ]) {
      const name = `Role ${randomUUID()}`;
      const trigger = executeAs === undefined ? callerOnly : { ...callerOnly, executeAs };
      const { id, slug } = await publish(trigger, [createsRole(name)]);
      const run = await call(slug, api.secret);
      expect(run.status).toBe("SUCCEEDED");
      expect(await makerOf(name)).toBe(`${actor} ${api.id}`);
      expect(await ended(id, run.id)).toMatchObject({ tokenId: api.id, tokenPlane: "api" });
    }
  });

  it("names the token if the call had an idempotency key", async () => {
    const name = `Role ${randomUUID()}`;
    const { slug } = await publish(callerOnly, [createsRole(name)]);
    const answer = await fetch(`${environment.url()}/api/workflows/${slug}/webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": "once",
        authorization: `Bearer ${api.secret}`,
      },
      body: "{}",
    });
    expect(JSON.parse(await answer.text()).data.status).toBe("SUCCEEDED");
    expect(await makerOf(name)).toBe(`${owner.id} ${api.id}`);
  });

  it("names the token if the Admin API has started, tested or repeated the run", async () => {
    const name = `Role ${randomUUID()}`;
    const trigger = { kind: "manual", executeAs: environment.userId };
    const { id } = await publish(trigger, [createsRole(`${name} {{start.data.n}}`)]);
    const started = await administer(`/workflows/${id}/runs`, { n: "one" }, admin.secret);
    await ended(id, started.run);
    const tried = await administer(`/workflows/${id}/test`, { n: "two" }, admin.secret);
    await ended(id, tried.run);
    for (const number of ["one", "two"]) {
      expect(await makerOf(`${name} ${number}`)).toBe(`${environment.userId} ${admin.id}`);
    }
    // The input arrived with the rights of the token, so a session that repeats the run gives it no more.
    const again = await environment.admin("POST", `/workflows/${id}/runs/${started.run}/again`, {});
    expect(await ended(id, again.body.data.run)).toMatchObject({
      tokenId: admin.id,
      tokenPlane: "admin",
    });
    const own = await environment.admin("POST", `/workflows/${id}/runs`, { n: "three" });
    expect(own.body.errors).toBeUndefined();
    expect(await ended(id, own.body.data.run)).toMatchObject({ tokenId: null, tokenPlane: null });
    const other = await createToken(environment.test.database, owner.id, "admin");
    const taken = await administer(
      `/workflows/${id}/runs/${own.body.data.run}/again`,
      {},
      other.secret,
    );
    expect(await ended(id, taken.run)).toMatchObject({ tokenId: other.id });
  });

  it("names the token in child workflows, and in workflows that its rows start", async () => {
    const table = `t${randomUUID().slice(0, 8)}`;
    await environment.sql(`create table public.${table} (id int primary key)`);
    const [resource] = (await environment.admin("GET", `/resources?search=${table}`)).body.data;
    await environment.admin("PATCH", `/resources/${resource.id}`, {
      exposedMethods: ["GET", "POST"],
    });
    const names = { child: `Role ${randomUUID()}`, event: `Role ${randomUUID()}` };
    const child = await publish({ kind: "manual", executeAs: environment.userId }, [
      createsRole(names.child),
    ]);
    const event = await environment.watch({ schema: "public", table, on: ["insert"] }, [
      createsRole(names.event),
    ]);
    const { slug } = await publish(callerOnly, [
      { id: "child", kind: "runWorkflow", workflow: child.slug },
      { id: "row", kind: "createRow", schema: "public", table, values: { id: 1 } },
    ]);
    expect(await call(slug, api.secret)).toMatchObject({ status: "SUCCEEDED" });
    const [run] = await environment.runs(event, 1);
    expect(run?.status).toBe("SUCCEEDED");
    expect(await makerOf(names.child)).toBe(`${owner.id} ${api.id}`);
    expect(await makerOf(names.event)).toBe(`${environment.userId} ${api.id}`);
  });
});

describe("a token that ends while its run waits", () => {
  const waits = { id: "wait", kind: "delay", seconds: 3600 };
  const start = async (steps: readonly object[], secret: string) => {
    const { id, slug } = await publish({ ...callerOnly, response: "ASYNCHRONOUS" }, [
      waits,
      ...steps,
    ]);
    const answer = await fetch(`${environment.url()}/api/workflows/${slug}/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: "{}",
    });
    const { data } = JSON.parse(await answer.text());
    await expect
      .poll(async () => {
        const [row] = await environment.sql<{ parked: boolean }>(
          "select wake_at is not null as parked from system.workflow_runs where id = $1::text::uuid",
          [data.run],
        );
        return row?.parked;
      })
      .toBe(true);
    return { workflow: id, run: data.run as string };
  };

  it("ends the run at its next step, regardless of the step and its error handling", async () => {
    const name = `Role ${randomUUID()}`;
    const child = await publish({ kind: "manual", executeAs: environment.userId }, [
      createsRole(name),
    ]);
    const users = { schema: "system", table: "users" };
    const lenient = { onError: "continue", retry: { attempts: 3, delayMs: 100 } };
    const steps = [
      createsRole(name),
      { id: "list", kind: "listRows", ...users },
      { id: "get", kind: "getRow", ...users, key: owner.id },
      { id: "set", kind: "updateRows", ...users, key: owner.id, values: { name: "Changed" } },
      { id: "delete", kind: "deleteRows", ...users, key: owner.id },
      { id: "mail", kind: "sendEmail", to: "a@example.com", subject: "x", text: "x" },
      { id: "call", kind: "httpRequest", url: "http://192.0.2.1/" },
      { id: "child", kind: "runWorkflow", workflow: child.slug, wait: false },
    ];
    const runs: (readonly [string, Awaited<ReturnType<typeof start>>])[] = [];
    for (const step of steps) {
      const finish = { id: "end", kind: "finish", result: "went on" };
      runs.push([step.id, await start([{ ...step, ...lenient }, finish], api.secret)]);
    }
    const goesOn = await start([createsRole(`${name} by another`)], admin.secret);
    await environment.admin("POST", `/tokens/${api.id}/revoke`);
    await moveClock(environment.test.database, 3601);
    for (const [step, { workflow, run }] of runs) {
      expect(await ended(workflow, run)).toMatchObject({
        status: "FAILED",
        error: {
          code: "TOKEN_ENDED",
          message:
            "The token that started this run is revoked, deactivated or expired, or its owner lacks the roles that it needs",
          step,
        },
      });
    }
    expect(await ended(goesOn.workflow, goesOn.run)).toMatchObject({ status: "SUCCEEDED" });
    expect(await makerOf(name)).toBeUndefined();
    expect(await environment.sql("select 1 from system.mails where run_id is not null")).toEqual(
      [],
    );
    await moveClock(environment.test.database, 0);
  });

  it("ends the run if it is deactivated, expired or deleted, and if its owner is inactive or has lost the role", async () => {
    const { database } = environment.test;
    const role = await createRole(database, `Role ${randomUUID()}`);
    const asRobot = async (plane: "api" | "admin") => {
      const robot = await createUser(database, `${randomUUID()}@example.com`, "Administrators");
      await database.query(
        `insert into system.role_members (role_id, user_id) values ('${role}', '${robot.id}')`,
      );
      const token = await createToken(database, robot.id, plane);
      // Another user's rights do not replace the token's.
      const { id, slug } = await publish(
        { ...callerOnly, response: "ASYNCHRONOUS", executeAs: environment.userId },
        [waits, createsRole(`Role ${randomUUID()}`)],
      );
      const answer = await fetch(`${environment.url()}/api/workflows/${slug}/webhook`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token.secret}` },
        body: "{}",
      });
      const { data } = JSON.parse(await answer.text());
      return { robot, token, workflow: id, run: data.run as string };
    };
    const [deactivated, expired, deleted, inactive, demoted, member] = await Promise.all([
      asRobot("api"),
      asRobot("api"),
      asRobot("api"),
      asRobot("api"),
      asRobot("admin"),
      asRobot("api"),
    ]);
    await environment.admin("POST", `/tokens/${deactivated.token.id}/deactivate`);
    await environment.sql(
      `update system.tokens set expires_at = now() where id = '${expired.token.id}'`,
    );
    await environment.sql(`delete from system.tokens where id = '${deleted.token.id}'`);
    await environment.admin("POST", `/users/${inactive.robot.id}/deactivate`);
    for (const { robot } of [demoted, member]) {
      await environment.admin("DELETE", `/roles/${administratorsId}/members/${robot.id}`);
    }
    await moveClock(database, 3601);
    for (const { workflow, run } of [deactivated, expired, deleted, inactive, demoted]) {
      expect(await ended(workflow, run)).toMatchObject({ error: { code: "TOKEN_ENDED" } });
    }
    // A token of the api plane requires only API access.
    expect(await ended(member.workflow, member.run)).toMatchObject({ status: "SUCCEEDED" });
    await moveClock(database, 0);
  });
});
