// Tiers: usual, long. A long run reads more.
import type { Database } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createToken,
  createUser,
  expose,
  isLongRun,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createClient, grant } from "./engine.ts";

/** What a caller may read: all rows and fields, own rows without a field, nothing; or the credential is not accepted. */
type Right = "ALL" | "OWN" | "NONE" | "OUT";

interface Caller extends TestUser {
  readonly right: Right;
  readonly tokenId: string | undefined;
}

/** A change of rights, which `restore` undoes. */
interface Change {
  readonly take: string;
  readonly restore: string;
  /** The right of a caller after the change. */
  readonly right: (caller: Caller) => Right;
}

/** With `npm run test:long`, more than 100,000 answers. */
const rounds = isLongRun() ? 170 : 10;
const readsOfCaller = { waiting: 15, arriving: 10, restored: 2 };
const rowCount = 400;
const notes = "public/notes";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let callers: readonly Caller[];
let people: readonly TestUser[];
let sharedStatements = 0;
/** Runs before each statement is sent. */
let beforeSent: () => Promise<void> = async () => {};

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const delayed: Database = {
    ...database,
    get service() {
      return this;
    },
    query: async (text, parameters, options) => {
      if (text.includes("with ordinality members(")) sharedStatements += 1;
      await beforeSent();
      return database.query(text, parameters, options);
    },
  };
  client = createClient(delayed);
  await database.query(
    "create table public.notes (id int primary key, owner uuid, body text, price numeric, secret text)",
  );
  await expose(database, "public", "notes", "GET");
  const roles = {
    all: await createRole(database, "All"),
    own: await createRole(database, "Own"),
  };
  await createRole(database, "None");
  const created: Caller[] = [];
  for (const [name, right] of [
    ["All", "ALL"],
    ["Own", "OWN"],
    ["None", "NONE"],
  ] as const) {
    for (const number of [1, 2, 3, 4]) {
      const user = await createUser(database, `${name}${number}@example.com`, name);
      const token = await createToken(database, user.id, "api");
      created.push({ ...user, right, tokenId: undefined });
      created.push({ ...user, right, secret: token.secret, tokenId: token.id });
    }
  }
  callers = created;
  people = created.filter(({ tokenId }) => tokenId === undefined);
  await database.query(
    `insert into public.notes select n, ($1::uuid[])[n % 12 + 1], E'body "\\\\, {} \\u00e4 ' || n, n / 3.0, nullif('secret' || n % 3, 'secret0')
     from generate_series(1, ${rowCount}) n`,
    [`{${people.map(({ id }) => id).join()}}`],
  );
  await grant(database, client.snapshots, roles.all, notes, { action: "READ" });
  await grant(database, client.snapshots, roles.own, notes, {
    action: "READ",
    rowFilter: { owner: { _eq: "$USER.id" } },
    fields: ["id", "owner", "body", "price"],
  });
});
afterAll(() => test.drop());

/** Executes statements that are separated by semicolons. */
function inOneTransaction(statements: string): Promise<void> {
  return test.database.transaction(async (transaction) => {
    for (const statement of statements.split("; ")) await transaction.query(statement);
  });
}

/** Returns a generator of integers below a bound, the same for the same seed (a linear congruential generator). */
function createRandom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** The changes that concern this person, who has one of the three roles. */
function changesOf(person: Caller): readonly Change[] {
  const isHis = ({ id }: Caller) => id === person.id;
  const role = (name: string) => `(select id from system.roles where name = '${name}')`;
  const only =
    (isConcerned: (caller: Caller) => boolean, right: Right) =>
    (caller: Caller): Right =>
      isConcerned(caller) ? right : caller.right;
  const ofAll = `from system.grants where role_id = ${role("All")}`;
  return [
    {
      // Ends the sessions as well.
      take: `create table public.kept as select * from system.sessions where user_id = '${person.id}'; update system.users set active = false where id = '${person.id}'`,
      restore: `update system.users set active = true where id = '${person.id}'; insert into system.sessions select * from public.kept; drop table public.kept`,
      right: only(isHis, "OUT"),
    },
    {
      take: `create table public.kept as select * from system.sessions where user_id = '${person.id}'; delete from system.sessions where user_id = '${person.id}'`,
      restore: "insert into system.sessions select * from public.kept; drop table public.kept",
      right: only((caller) => isHis(caller) && caller.tokenId === undefined, "OUT"),
    },
    {
      take: `update system.tokens set active = false where user_id = '${person.id}'`,
      restore: `update system.tokens set active = true where user_id = '${person.id}'`,
      right: only((caller) => isHis(caller) && caller.tokenId !== undefined, "OUT"),
    },
    {
      // A person without a role has no access.
      take: `create table public.kept as select * from system.role_members where user_id = '${person.id}'; delete from system.role_members where user_id = '${person.id}'`,
      restore: "insert into system.role_members select * from public.kept; drop table public.kept",
      right: only(isHis, "OUT"),
    },
    {
      // A right that is given.
      take: `create table public.kept as select * from system.role_members where user_id = '${person.id}'; insert into system.role_members (role_id, user_id) values (${role("All")}, '${person.id}') on conflict do nothing`,
      restore: `delete from system.role_members where user_id = '${person.id}'; insert into system.role_members select * from public.kept; drop table public.kept`,
      right: only(isHis, "ALL"),
    },
    {
      take: `create table public.kept as select * ${ofAll}; delete ${ofAll}`,
      restore: "insert into system.grants select * from public.kept; drop table public.kept",
      right: only(({ right }) => right === "ALL", "NONE"),
    },
    {
      take: "update system.resources set exposed_methods = '{}' where relation_name = 'notes'",
      restore:
        "update system.resources set exposed_methods = '{GET}' where relation_name = 'notes'",
      right: () => "NONE",
    },
    {
      take: `update system.roles set api_access = false where name = 'Own'`,
      restore: `update system.roles set api_access = true where name = 'Own'`,
      right: only(({ right }) => right === "OWN", "OUT"),
    },
    {
      take: `insert into system.settings (key, value) values ('data.share_statements', 'false')`,
      restore: `delete from system.settings where key = 'data.share_statements'`,
      right: ({ right }) => right,
    },
  ];
}

/** A right that is given or taken while reads wait applies to each of them at once: 0 stale answers. */
it("answers each waiting read under the rights at the time of sending", {
  timeout: 60_000 + rounds * 3_000,
}, async () => {
  const seed = fc.readConfigureGlobal()?.seed ?? 1;
  const random = createRandom(seed);
  const stored = new Map(
    (
      await test.database.query<{ id: number; owner: string; row: string }>(
        `select id, owner, json_build_object('id', id, 'owner', owner, 'body', body, 'price', price::text, 'secret', secret)::text as row from public.notes`,
      )
    ).map(({ id, owner, row }) => [id, { owner, row: JSON.parse(row) }]),
  );
  const expected = (caller: Caller, right: Right, id: number) => {
    const note = stored.get(id);
    if (right === "OUT") return { status: 401 };
    const isOwn = note?.owner === caller.id;
    if (note === undefined || right === "NONE" || (right === "OWN" && !isOwn)) {
      return { status: 404 };
    }
    const { secret, ...others } = note.row;
    return { status: 200, body: { data: right === "OWN" ? others : { ...others, secret } } };
  };
  // A slow moment of the machine is not to end the sharing.
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => {
    vi.restoreAllMocks();
    beforeSent = async () => {};
  });

  let answers = 0;
  let stale = 0;
  const counts = new Map<number, number>();
  const ask = (rightOf: (caller: Caller) => Right, reads: number) =>
    callers.flatMap((caller) =>
      Array.from({ length: reads }, async () => {
        // Every second read is of a row of the caller's own; some rows do not exist.
        const person = people.findIndex(({ id }) => id === caller.id);
        const id = random(2) === 0 ? random(30) * 12 + person + 12 : random(rowCount + 20) + 1;
        const answer = await client.read(caller, notes, String(id));
        const right = expected(caller, rightOf(caller), id);
        answers += 1;
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        const shown = answer.status === 200 ? { ...answer } : { status: answer.status };
        try {
          expect(shown).toEqual(right);
        } catch (error) {
          stale += 1;
          if (stale === 1) console.error(`Seed ${seed}, answer ${answers}:`, error);
        }
      }),
    );

  for (let round = 0; round < rounds; round += 1) {
    for (const _ of [1, 2]) await Promise.all(ask(({ right }) => right, 1));
    const person = callers[random(callers.length)];
    if (person === undefined) throw new RangeError("No person");
    const changes = changesOf(person);
    const change = changes[round % changes.length];
    if (change === undefined) throw new RangeError("No change");
    // After the reads have arrived, before any statement for them is sent.
    let taken: Promise<void> | undefined;
    beforeSent = () => {
      taken ??= inOneTransaction(change.take);
      return taken;
    };
    const waiting = ask(change.right, readsOfCaller.waiting);
    await vi.waitUntil(() => taken !== undefined, { interval: 1 });
    await taken;
    const arriving = ask(change.right, readsOfCaller.arriving);
    await Promise.all([...waiting, ...arriving]);
    beforeSent = async () => {};
    await inOneTransaction(change.restore);
    await Promise.all(ask(({ right }) => right, readsOfCaller.restored));
  }
  console.info(
    `${answers} answers in ${sharedStatements} shared statements, ${stale} stale, seed ${seed}; by status: ${JSON.stringify(Object.fromEntries(counts))}`,
  );
  expect(stale).toBe(0);
  expect(answers).toBe(rounds * callers.length * (2 + 15 + 10 + 2));
  expect(sharedStatements).toBeGreaterThan(rounds);
});
