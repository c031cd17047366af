// Tier: long. Starts processes.
import {
  addRun,
  addSteps,
  createToken,
  createUser,
  endRun,
  hasRedis,
  startTestEnvironment,
  type TestEnvironment,
  type TestUser,
  type Watched,
  watchEvents,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

const perPersonMax = 10;

describe.each(["one", "four"] as const)("streams of runs with the processes of `%s`", (kind) => {
  if (kind === "four" && !hasRedis()) {
    it.skip("needs redis-server", () => {});
    return;
  }
  let environment: TestEnvironment;
  let admin: TestUser;
  let workflow: string;
  let run: string;
  const open: Watched[] = [];
  const query = (text: string, parameters: readonly string[] = []) =>
    environment.test.database.query(text, [...parameters]);

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind, ownProcess: true });
    const { database } = environment.test;
    admin = await createUser(database, "ada@example.com", "Administrators");
    const created = await send("POST", "/workflows", {
      slug: "long",
      name: "Long",
      definition: {
        trigger: { kind: "manual", executeAs: admin.id },
        steps: [{ id: "end", kind: "finish", result: 1 }],
      },
    });
    workflow = created.data.id;
    await send("POST", `/workflows/${workflow}/publish`);
    run = await addRun(database, workflow, admin.id);
  });
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.leave();
  });
  afterAll(() => environment.stop());

  const headers = (secret = admin.secret) => ({ Authorization: `Bearer ${secret}` });
  const send = async (method: string, path: string, data?: object) => {
    const answer = await fetch(`${environment.url}/admin/api${path}`, {
      method,
      headers: {
        ...headers(),
        ...(data === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    expect(answer.ok).toBe(true);
    // biome-ignore lint/suspicious/noExplicitAny: the answers of several routes
    return (await answer.json()) as any;
  };
  const ask = async (secret: string | undefined, of = run): Promise<Response> => {
    const answer = await fetch(`${environment.url}/admin/api/workflows/${workflow}/runs/${of}`, {
      headers: { ...headers(secret), Accept: "text/event-stream" },
    });
    // Of a connection that the client of the test had opened in advance, and had not used in time.
    return answer.status === 408 ? ask(secret, of) : answer;
  };
  async function watch(secret = admin.secret, of = run): Promise<Watched> {
    const stream = await watchEvents(() => ask(secret, of), {});
    open.push(stream);
    return stream;
  }

  it("pass each event on at once", async () => {
    const stream = await watch();
    await stream.until(({ event }) => event === "run");
    for (const path of ["first", "second", "third"]) {
      await addSteps(environment.test.database, run, path);
      await stream.until(({ text }) => text.includes(`"${path}"`));
    }
  });

  it("end within seconds of the right to them, without a further event", async () => {
    const { database } = environment.test;
    const person = (name: string) => createUser(database, `${name}@example.com`, "Administrators");
    const [signedOut, removed, inactive, holder] = [
      await person("signed-out"),
      await person("removed"),
      await person("inactive"),
      await person("holder"),
    ];
    const { id: token, secret } = await createToken(database, holder.id, "admin");
    const secrets = [signedOut.secret, removed.secret, inactive.secret, secret];
    const streams = await Promise.all(secrets.map((one) => watch(one)));
    for (const stream of streams) await stream.until(({ event }) => event === "run");
    await query("delete from system.sessions where user_id = $1::uuid", [signedOut.id]);
    await database.transaction(async (transaction) => {
      await transaction.query("select system.act_as($1::uuid)", [admin.id]);
      await transaction.query("delete from system.role_members where user_id = $1::uuid", [
        removed.id,
      ]);
    });
    await send("POST", `/users/${inactive.id}/deactivate`);
    await send("POST", `/tokens/${token}/revoke`);
    const rests = await Promise.all(streams.map((stream) => stream.rest()));
    expect(rests.flat().map(({ event }) => event)).not.toContain("end");
    const answers = await Promise.all(secrets.map((one) => ask(one)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it("are limited for each person, and a closed one makes room", async () => {
    const person = await createUser(
      environment.test.database,
      "greedy@example.com",
      "Administrators",
    );
    for (let count = 0; count < perPersonMax; count += 1) await watch(person.secret);
    const refused = await ask(person.secret);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.json()).toMatchObject({ errors: [{ code: "RATE_LIMIT_EXCEEDED" }] });
    await (await watch()).until(({ event }) => event === "run");
    await open.shift()?.leave();
    await expect
      .poll(async () => {
        const answer = await ask(person.secret);
        await answer.body?.cancel();
        return answer.status;
      })
      .toBe(200);
  });

  it("of readers who connect and read nothing hold no request of others up", async () => {
    const { database } = environment.test;
    const long = await addRun(database, workflow, admin.id);
    const suffix = "x".repeat(300);
    await addSteps(
      database,
      long,
      ...Array.from({ length: 20_000 }, (_, at) => `s${at}-${suffix}`),
    );
    const person = await createUser(database, "idle@example.com", "Administrators");
    const stalled = await Promise.all(
      Array.from({ length: perPersonMax }, () => ask(person.secret, long)),
    );
    const stream = await watch(admin.secret, long);
    let steps = 0;
    await stream.until(({ event, data }) => {
      if (event === "steps") steps += (data as unknown[]).length;
      return steps >= 20_000;
    });
    for (const { body } of stalled) await body?.cancel();
    await expect
      .poll(async () => {
        const answer = await ask(person.secret);
        await answer.body?.cancel();
        return answer.status;
      })
      .toBe(200);
    await endRun(database, long, "1");
    expect((await stream.rest()).at(-1)?.event).toBe("end");
  });

  it("end at once when a process of theirs stops, which waits for nothing", async () => {
    // The gateway last, since it is the address of all others; in one process it is the process.
    const gateway = environment.processes.find(({ url }) => url === environment.url);
    const adminApi = environment.processes.at(-1);
    for (const process of new Set([adminApi, gateway])) {
      const stream = await watch();
      await stream.until(({ event }) => event === "run");
      const stopped = process?.stop();
      const rest = await stream.rest();
      expect(rest.map(({ event }) => event)).not.toContain("end");
      expect(await stopped).toBe(0);
      if (kind === "four" && process === adminApi) break;
    }
  });
});
