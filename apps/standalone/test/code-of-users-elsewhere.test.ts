// Tier: all. Starts a process.
import {
  createTestDatabase,
  serviceLogin,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Attack, prepareAttack } from "./attack.ts";
import { type Answer, type Client, createClient } from "./client.ts";

// The same attack by ways that are no request for rows: the steps of runs, events of rows, and an apply of configuration.

let environment: TestEnvironment;
let client: Client;
let attack: Attack;
let secret: string;
let me: string;
beforeAll(async () => {
  const test = await createTestDatabase({ login: "service" });
  environment = await startTestEnvironment({ kind: "one", test });
  client = createClient(environment);
  const signedIn = await client.ask("POST", "/api/auth/login", { body: signIn });
  secret = signedIn.body.data.token;
  me = signedIn.body.data.user.id;
  attack = await prepareAttack(test);
  await attack.as(
    `create table shop.kept (id int primary key, qty int default shop.attack(), check (shop.attack() = 1));
     create trigger t before insert or update or delete on shop.kept for each row execute function shop.attack_trigger();
     create constraint trigger d after insert or update or delete on shop.kept deferrable initially deferred
       for each row execute function shop.attack_trigger()`,
  );
  await expose("kept");
});
afterAll(async () => {
  await attack.end();
  await environment.stop();
});
beforeEach(() => attack.begin());

const admin = (method: string, path: string, data?: unknown): Promise<Answer> =>
  client.ask(method, path, { as: secret, ...(data === undefined ? {} : { body: { data } }) });

async function expose(name: string): Promise<void> {
  const { body } = await admin("GET", `/admin/api/resources?search=${name}`);
  const found = body.data.find((one: { name: string }) => one.name === name);
  const exposedMethods = ["GET", "POST", "PATCH", "DELETE"];
  const answer = await admin("PATCH", `/admin/api/resources/${found.id}`, { exposedMethods });
  expect(answer.status).toBe(200);
}

async function publish(slug: string, definition: object): Promise<string> {
  const made = await admin("POST", "/admin/api/workflows", { slug, name: slug, definition });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body.data;
  for (const verb of ["publish", "enable"]) {
    const answer = await admin("POST", `/admin/api/workflows/${id}/${verb}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  return id;
}

const states = async (id: string): Promise<string[]> => {
  const { body } = await admin("GET", `/admin/api/workflows/${id}/runs`);
  return body.data.map(({ status }: { status: string }) => status);
};
const hasEnded = async (id: string) => /^(SUCCEEDED|FAILED)$/.test((await states(id))[0] ?? "");

describe("code of a table", () => {
  it("has only the service's rights in the steps of a run, in a test without effects and in its events", async () => {
    const steps = [
      { id: "make", kind: "createRow", schema: "shop", table: "kept", values: { id: 1 } },
      { id: "list", kind: "listRows", schema: "shop", table: "kept" },
      {
        id: "change",
        kind: "updateRows",
        schema: "shop",
        table: "kept",
        key: ["1"],
        values: { qty: 5 },
      },
      {
        id: "folder",
        kind: "createRow",
        schema: "system",
        table: "folders",
        values: { name: "of the run" },
      },
      { id: "gone", kind: "deleteRows", schema: "shop", table: "kept", key: ["1"] },
    ];
    await expose("folders");
    const heard = await publish("heard", {
      trigger: {
        kind: "databaseEvent",
        schema: "shop",
        table: "kept",
        on: ["insert", "delete"],
        executeAs: me,
      },
      steps: [{ id: "end", kind: "finish", result: "heard" }],
    });
    const trigger = { kind: "manual", executeAs: me };
    const id = await publish("steps", { trigger, steps });
    const tested = await client.ask("POST", `/admin/api/workflows/${id}/test`, {
      as: secret,
      body: { data: {}, effects: "NONE" },
    });
    expect(tested.status, JSON.stringify(tested.body)).toBe(201);
    // The attack ends the statements that its session has prepared, so a later step may fail.
    await expect.poll(() => hasEnded(id), { timeout: 20_000 }).toBe(true);
    const started = await admin("POST", `/admin/api/workflows/${id}/runs`, {});
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    await expect.poll(() => hasEnded(id), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => hasEnded(heard), { timeout: 20_000 }).toBe(true);
    await attack.expectHarmless();
  });

  it("has only these rights in a plan and an apply of configuration, and in a comparison with the files", async () => {
    await attack.as(
      `create function shop.pure(int) returns int language plpgsql immutable as 'begin perform shop.attack(); return 1; end';
       create table shop.applied (id int primary key, qty int default 1);
       insert into shop.applied values (1), (2); create index on shop.applied (shop.pure(qty))`,
    );
    await environment.test.database.query(`alter table shop.applied owner to ${serviceLogin.name}`);
    const { body } = await admin("GET", "/admin/api/configuration");
    const files: Record<string, string> = body.data.files;
    const [path = ""] = Object.keys(files).filter((one) => /^(?!sql\/).*shop.*applied/.test(one));
    const file = files[path] ?? "";
    // The new type of the key rewrites the table, and so its indexes.
    const changed = file.replace(/( {2}id:\n\s*type: )integer/, "$1bigint");
    expect(changed).not.toBe(file);
    const planned = await admin("POST", "/admin/api/configuration/plan", {
      files: { ...files, [path]: changed },
    });
    expect(planned.status, JSON.stringify(planned.body)).toBeLessThan(300);
    const { planId } = planned.body.data;
    let plan = planned.body.data;
    await expect
      .poll(
        async () => {
          plan = (await admin("GET", `/admin/api/configuration/plans/${planId}`)).body.data;
          return plan.state;
        },
        { timeout: 20_000 },
      )
      .not.toBe("RUNNING");
    const applied = await admin("POST", "/admin/api/configuration/apply", {
      planId,
      digest: plan.digest,
      consents: [],
    });
    expect(applied.status, JSON.stringify(applied.body)).toBeLessThan(300);
    await admin("GET", "/admin/api/configuration/drift");
    await attack.expectHarmless();
  });
});
