// Tier: all. One of the longest files.
import type { Database, Parameter, Permit } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient, grant } from "./engine.ts";

/** People of three roles: all notes, the notes of their own, and no note. */
interface People {
  readonly all: readonly TestUser[];
  readonly own: readonly TestUser[];
  readonly none: readonly TestUser[];
}

interface Sent {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

const rounds = 100;

let test: TestDatabase;
let people: People;
let everyone: readonly TestUser[];
let client: ReturnType<typeof createClient>;
let sent: Sent[] = [];
/** Runs before each shared statement is sent; an exception replaces the statement's answer. */
let beforeShared: () => Promise<void> = async () => {};

beforeAll(async () => {
  // Time stands still: a statement that takes long, as on a busy machine, would not be shared for ten seconds.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  test = await createTestDatabase();
  const { database } = test;
  const recorded: Database = {
    ...database,
    get service() {
      return this;
    },
    query: async (text, parameters, options) => {
      sent.push({ text, parameters: parameters ?? [] });
      if (isShared(text)) await beforeShared();
      return database.query(text, parameters, options);
    },
  };
  client = createClient(recorded);
  await database.query(`
    create table public.authors (id int primary key, name text);
    insert into public.authors select n, 'author ' || n from generate_series(1, 20) n;
    create table public.notes (id int primary key, owner uuid, author_id int references public.authors, body text, secret text);
    create view public.views as select * from public.notes;
    create table public.products (id int primary key, a int, b int generated always as (a * 2) stored);
    insert into public.products (id, a) select n, n from generate_series(1, 9) n`);
  for (const name of ["authors", "notes", "views", "products"]) {
    await expose(database, "public", name, "GET");
  }
  const roles = {
    all: await createRole(database, "All"),
    own: await createRole(database, "Own"),
    none: await createRole(database, "None"),
  };
  const inRole = (role: string) =>
    Promise.all([1, 2, 3].map((n) => createUser(database, `${role}${n}@example.com`, role)));
  people = { all: await inRole("All"), own: await inRole("Own"), none: await inRole("None") };
  everyone = [...people.all, ...people.own, ...people.none];
  await database.query(
    `insert into public.notes select n, ($1::uuid[])[n % 9 + 1], n % 20 + 1, E'body "\\\\ ' || n, 'secret' from generate_series(1, 400) n`,
    [`{${everyone.map(({ id }) => id).join()}}`],
  );
  for (const name of ["authors", "notes", "views", "products"]) {
    const relation = `public/${name}`;
    await grant(database, client.snapshots, roles.all, relation, { action: "READ" });
    if (name !== "notes") continue;
    const rowFilter = { owner: { _eq: "$USER.id" } };
    const fields = ["id", "owner", "author_id", "body"];
    await grant(database, client.snapshots, roles.own, relation, {
      ...{ action: "READ", rowFilter, fields },
    });
  }
});
afterAll(async () => {
  vi.restoreAllMocks();
  await test.drop();
});
beforeEach(() => {
  sent = [];
});

/** Whether a statement answers several requests. */
function isShared(text: string): boolean {
  return text.includes("with ordinality members(");
}

/** The number of requests of each shared statement. */
function sharedSizes(): number[] {
  return sent.filter(({ text }) => isShared(text)).map(({ parameters }) => sizeOf(parameters));
}

function sizeOf(parameters: readonly Parameter[]): number {
  // The proof is the same for all members, and contains no comma.
  const list = parameters.find((parameter) => parameter?.startsWith('{"'));
  return list?.split('","').length ?? 0;
}

async function setSharing(isOn: boolean): Promise<void> {
  await test.database.query(
    `insert into system.settings (key, value) values ('data.share_statements', $1::text::jsonb)
     on conflict (key) do update set value = excluded.value`,
    [String(isOn)],
  );
}

/** Executes statements that are separated by semicolons. */
function inOneTransaction(statements: string): Promise<void> {
  return test.database.transaction(async (transaction) => {
    for (const statement of statements.split("; ")) await transaction.query(statement);
  });
}

/** Sends a read twice, so that its shape is known: the first one of a shape is never shared. */
async function warmUp(user: TestUser, id = "1", query = ""): Promise<void> {
  for (const _ of [1, 2]) await client.read(user, "public/notes", id, query);
  sent = [];
}

/** Has two shared statements of one shape in progress, which end with `release`. The time stands still. */
async function occupied() {
  const [user] = people.all;
  if (user === undefined) throw new RangeError("No user");
  await warmUp(user);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeShared = () => released;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
    beforeShared = async () => {};
  });
  const read = (id: string) => client.read(user, "public/notes", id);
  const turn = async () => {
    for (let count = 0; count < 5; count += 1) await new Promise(setImmediate);
  };
  const first = [read("1"), read("2")];
  await turn();
  const second = [read("3"), read("4")];
  await turn();
  return {
    read,
    turn,
    release: async () => {
      release();
      await Promise.all([...first, ...second]);
    },
  };
}

describe("reads of one shape that arrive together", () => {
  it("share a statement, and each has its own answer", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    await warmUp(user);
    const ids = Array.from({ length: 20 }, (_, index) => String(index * 25 + 1));
    const answers = await Promise.all(ids.map((id) => client.read(user, "public/notes", id)));
    expect(sharedSizes()).toEqual([8, 8, 4]);
    const alone = [];
    for (const id of ids) alone.push(await client.read(user, "public/notes", id));
    expect(answers).toEqual(alone);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  });

  it("wait while two statements of their shape are in progress, and share the next one", async () => {
    const { read, release, turn } = await occupied();
    const waiting = [];
    for (const id of ["5", "6", "7"]) {
      waiting.push(read(id));
      await turn();
    }
    expect(sharedSizes()).toEqual([2, 2]);
    await release();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(sharedSizes()).toEqual([2, 2, 3]);
  });

  it("wait for others' statements for five milliseconds at most", async () => {
    const { read, release, turn } = await occupied();
    const waiting = [read("5"), read("6"), read("7")];
    await turn();
    expect(sharedSizes()).toEqual([2, 2]);
    vi.advanceTimersByTime(5);
    expect(sharedSizes()).toEqual([2, 2, 3]);
    await release();
    await Promise.all(waiting);
  });

  it("send at most 32 requests in a statement", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    await warmUp(user, "1", "fields=id,secret");
    const read = () => client.read(user, "public/notes", "1", "fields=id,secret");
    await Promise.all(Array.from({ length: 8 + 8 + 32 + 1 }, read));
    expect(sharedSizes()).toEqual([8, 8, 32]);
    // The last one is alone.
    expect(sent).toHaveLength(4);
  });

  it("send half of those that came together before, while the rest arrives", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    await warmUp(user, "1", "fields=body,id");
    const read = () => client.read(user, "public/notes", "1", "fields=body,id");
    await Promise.all(Array.from({ length: 45 }, read));
    sent = [];
    await Promise.all(Array.from({ length: 45 }, read));
    expect(sharedSizes()).toEqual([22, 22]);
    // The last one is alone.
    expect(sent).toHaveLength(3);
  });

  it("share statements also beyond the permits of their user", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    await warmUp(user);
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        client.read(user, "public/notes", String(index + 1)),
      ),
    );
    expect(answers.map(({ body }) => (body as { data: { id: number } }).data.id)).toEqual(
      Array.from({ length: 400 }, (_, index) => index + 1),
    );
    const shared = sharedSizes().reduce((total, size) => total + size, 0);
    expect(shared).toBeGreaterThan(380);
    expect(sent.length).toBeLessThan(60);
  });

  it("share it with other users, each under their own rights", async () => {
    for (const user of everyone) await warmUp(user);
    const asked = everyone.flatMap((user) =>
      Array.from({ length: 18 }, (_, index) => ({ user, id: String(index + 1) })),
    );
    const answers = await Promise.all(
      asked.map(({ user, id }) => client.read(user, "public/notes", id)),
    );
    expect(sharedSizes().length).toBeGreaterThan(0);
    for (const [index, { user, id }] of asked.entries()) {
      expect(answers[index]).toEqual(await client.read(user, "public/notes", id));
    }
    const found = (group: readonly TestUser[]) =>
      answers.filter(({ status }, index) => {
        const user = asked[index]?.user;
        return status === 200 && user !== undefined && group.includes(user);
      }).length;
    // Of 18 notes, each of the nine people owns two.
    expect([found(people.all), found(people.own), found(people.none)]).toEqual([54, 6, 0]);
  });

  it("share a statement of lists only with lists of the same user", async () => {
    const [first, second] = people.own;
    if (first === undefined || second === undefined) throw new RangeError("No users");
    const list = (user: TestUser, after: number) =>
      client.list(user, "public/notes", `limit=5&order_by=id&where[id][_gt]=${after}`);
    for (const user of [first, second, first, second]) await list(user, 0);
    sent = [];
    const afters = [0, 40, 80, 500];
    const answers = await Promise.all(
      [first, second].flatMap((user) => afters.map((after) => list(user, after))),
    );
    expect(sharedSizes()).toEqual([4, 4]);
    const alone = [];
    for (const user of [first, second]) {
      for (const after of afters) alone.push(await list(user, after));
    }
    expect(answers).toEqual(alone);
  });

  it("have statements of their own for views, counts, searches, offsets and long pages", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    const asks = [
      () => client.list(user, "public/views/view", "limit=5"),
      () => client.list(user, "public/notes", "limit=5&count=exact"),
      () => client.list(user, "public/notes", "limit=5&search=body"),
      () => client.list(user, "public/notes", "limit=5&offset=5"),
      () => client.list(user, "public/notes", "limit=51"),
      () => client.list(user, "public/notes", "aggregate=count"),
    ];
    for (const ask of asks) {
      await ask();
      await ask();
      sent = [];
      await Promise.all(Array.from({ length: 4 }, ask));
      expect(sharedSizes()).toEqual([]);
    }
  });

  it("have statements of their own while data.share_statements is false", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    const ask = () => client.read(user, "public/notes", "1", "fields=id");
    await setSharing(false);
    for (const _ of [1, 2]) await ask();
    sent = [];
    await Promise.all(Array.from({ length: 4 }, ask));
    expect(sharedSizes()).toEqual([]);
    await setSharing(true);
    for (const _ of [1, 2]) await ask();
    sent = [];
    await Promise.all(Array.from({ length: 4 }, ask));
    expect(sharedSizes()).toEqual([4]);
  });

  it("pass on an answer that is too large for a small one", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    await test.database.query("update public.notes set body = repeat('x', 1200000) where id = 400");
    await warmUp(user, "1", "fields=body");
    const answers = await Promise.all(
      ["1", "400", "2"].map((id) => client.read(user, "public/notes", id, "fields=body")),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.stringify(answers[1]?.body).length).toBeGreaterThan(1_200_000);
    await test.database.query("update public.notes set body = 'short' where id = 400");
  });
});

describe("a lock on a table", () => {
  /** Sends one read for each turn of the event loop, `heldMs` apart, while all shared statements are held. */
  async function readInTurns(
    { turn }: Pick<Awaited<ReturnType<typeof occupied>>, "turn">,
    read: (index: number) => Promise<unknown>,
  ) {
    const reads = [];
    for (let index = 0; index < 20; index += 1) {
      reads.push(read(index), read(index));
      await turn();
      vi.advanceTimersByTime(5);
      await turn();
    }
    return reads;
  }

  it("occupies four connections, whatever the shapes and the readers of its rows", async () => {
    for (const user of everyone) {
      for (const query of ["", "fields=id,owner"]) await warmUp(user, "1", query);
    }
    const held = await occupied();
    const reads = await readInTurns(held, (index) => {
      const user = everyone[index % everyone.length];
      if (user === undefined) throw new RangeError("No user");
      return client.read(user, "public/notes", "1", index % 2 === 0 ? "" : "fields=id,owner");
    });
    expect(sharedSizes()).toHaveLength(4);
    await held.release();
    const answers = (await Promise.all(reads)) as { status: number }[];
    expect(answers).toHaveLength(40);
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
  });

  it("does not hold up readers of another table, or lists of another user", async () => {
    const [first, second] = people.all;
    if (first === undefined || second === undefined) throw new RangeError("No users");
    const list = (user: TestUser) => client.list(user, "public/notes", "limit=2&fields=id");
    const product = (user: TestUser) => client.read(user, "public/products", "1");
    for (const user of [first, second]) {
      for (const ask of [list, list, product, product]) await ask(user);
    }
    const held = await occupied();
    const reads = await readInTurns(held, () => list(first));
    expect(sharedSizes()).toHaveLength(2 + 4);
    beforeShared = async () => {};
    const [one, other] = await Promise.all([product(second), list(second)]);
    expect([one?.status, other?.status]).toEqual([200, 200]);
    await held.release();
    await Promise.all(reads);
  });
});

describe("a user who holds all permits", () => {
  it("does not hold up readers of the same rows, though few of a shape come together", async () => {
    const [busy, other] = people.all;
    if (busy === undefined || other === undefined) throw new RangeError("No users");
    const shapes = ["fields=owner", "fields=owner,id", "fields=owner,body"];
    const read = (user: TestUser, query: string) => client.read(user, "public/notes", "1", query);
    // A new shape is expected to come together with others until it has been seen alone.
    for (const query of shapes) {
      for (let count = 0; count < 30; count += 1) await read(other, query);
    }
    await read(busy, "fields=owner");
    const permits: Permit[] = [];
    let last = test.database.charge(busy.id);
    while (typeof last === "function") {
      permits.push(last);
      last = test.database.charge(busy.id);
    }
    let isSettled = false;
    const waiting = Promise.allSettled(
      shapes.flatMap((query) => [read(busy, query), read(busy, query)]),
    ).then(() => {
      isSettled = true;
    });
    for (const query of shapes) expect((await read(other, query)).status).toBe(200);
    expect(isSettled).toBe(false);
    for (const release of permits) release();
    (await last)?.();
    await waiting;
  });
});

describe("a right that is taken while reads wait", () => {
  it("is taken from each of them, and from nobody else", {
    timeout: 120_000,
  }, async () => {
    const [first, second, third] = people.all;
    if (first === undefined || second === undefined || third === undefined) {
      throw new RangeError("No users");
    }
    onTestFinished(() => {
      beforeShared = async () => {};
    });
    const role = "(select id from system.roles where name = 'All')";
    const grants = `from system.grants where role_id = ${role} and resource_id = (select id from system.resources where relation_name = 'notes')`;
    const changes = [
      {
        // Ends the sessions as well.
        take: `create table public.kept as select * from system.sessions where user_id = '${second.id}'; update system.users set active = false where id = '${second.id}'`,
        restore: `update system.users set active = true where id = '${second.id}'; insert into system.sessions select * from public.kept; drop table public.kept`,
        expected: [200, 401, 200, 401, 200],
      },
      {
        take: `delete from system.role_members where user_id = '${second.id}'`,
        restore: `insert into system.role_members (role_id, user_id) values (${role}, '${second.id}')`,
        // A person without a role has no access.
        expected: [200, 401, 200, 401, 200],
      },
      {
        take: `create table public.kept as select * ${grants}; delete ${grants}`,
        restore: "insert into system.grants select * from public.kept; drop table public.kept",
        expected: [404, 404, 404, 404, 404],
      },
      {
        take: "update system.resources set exposed_methods = '{}' where relation_name = 'notes'",
        restore:
          "update system.resources set exposed_methods = '{GET}' where relation_name = 'notes'",
        expected: [404, 404, 404, 404, 404],
      },
    ];
    const id = "7";
    for (let round = 0; round < rounds; round += 1) {
      const change = changes[round % changes.length];
      if (change === undefined) throw new RangeError("No change");
      for (const user of [first, second, third]) {
        expect((await client.read(user, "public/notes", id)).status).toBe(200);
      }
      // After the reads have arrived, before their statement is sent.
      let isTaken = false;
      beforeShared = async () => {
        beforeShared = async () => {};
        await inOneTransaction(change.take);
        isTaken = true;
      };
      const answers = await Promise.all(
        [first, second, third, second, first].map((user) =>
          client.read(user, "public/notes", id).then(({ status }) => status),
        ),
      );
      expect([isTaken, ...answers]).toEqual([true, ...change.expected]);
      await inOneTransaction(change.restore);
    }
  });
});

describe("a shared statement that fails or takes long", () => {
  it("is repeated as one statement for each request, and not shared for ten seconds", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    onTestFinished(() => {
      beforeShared = async () => {};
      vi.restoreAllMocks();
    });
    const ask = (id: number) => client.read(user, "public/notes", String(id), "fields=id,body");
    await ask(1);
    await ask(1);
    sent = [];
    beforeShared = async () => {
      await test.database.query("select 1 / (random() * 0)::int");
    };
    const answers = await Promise.all([1, 2, 3, 999].map(ask));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(sharedSizes()).toEqual([4]);
    await Promise.all([1, 2, 3].map(ask));
    expect(sharedSizes()).toEqual([4]);
    beforeShared = async () => {};
    const now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => now + 11_000);
    await Promise.all([1, 2, 3].map(ask));
    expect(sharedSizes()).toEqual([4, 3]);
  });

  it("is not shared after it took a quarter of a second", async () => {
    const [user] = people.all;
    if (user === undefined) throw new RangeError("No user");
    onTestFinished(() => {
      beforeShared = async () => {};
      vi.restoreAllMocks();
    });
    const ask = () => client.read(user, "public/notes", "1", "fields=author_id");
    await ask();
    await ask();
    sent = [];
    const now = performance.now();
    const clock = vi.spyOn(performance, "now");
    clock.mockImplementation(() => now);
    beforeShared = async () => {
      clock.mockImplementation(() => now + 251);
    };
    await Promise.all([ask(), ask()]);
    await Promise.all([ask(), ask()]);
    expect(sharedSizes()).toEqual([2]);
  });
});

describe("the plan of a shared statement", () => {
  it("finds each row by an index, also among many", async () => {
    const [user] = people.own;
    if (user === undefined) throw new RangeError("No user");
    const { database } = test;
    await database.query("create index on public.notes (owner, id)");
    await database.query(
      "insert into public.notes select n, gen_random_uuid(), 1, 'x' from generate_series(1000, 60000) n",
    );
    await database.query("analyze public.notes");
    const asks = [
      (n: number) => client.read(user, "public/notes", String(n)),
      (n: number) => client.list(user, "public/notes", `limit=5&order_by=id&where[id][_gt]=${n}`),
    ];
    for (const ask of asks) {
      await ask(1);
      await ask(1);
      sent = [];
      await Promise.all([1, 2, 3, 4].map(ask));
      const shared = sent.find(({ text }) => isShared(text));
      if (shared === undefined) throw new TypeError("Nothing was shared");
      for (const mode of ["force_custom_plan", "force_generic_plan"]) {
        const plan = await database.transaction(async (transaction) => {
          await transaction.query(`set local plan_cache_mode = ${mode}`);
          await transaction.query(`prepare shared as ${shared.text}`);
          const values = shared.parameters.map((value) => `'${value?.replaceAll("'", "''")}'`);
          const rows = await transaction.query<{ "QUERY PLAN": string }>(
            `explain execute shared(${values.join(", ")})`,
          );
          await transaction.query("deallocate shared");
          return rows.map((row) => row["QUERY PLAN"]).join("\n");
        });
        expect(plan).toMatch(/Index (Only )?Scan using notes_\w+ on notes/);
        expect(plan).not.toMatch(/Seq Scan on notes/);
      }
    }
  });
});
