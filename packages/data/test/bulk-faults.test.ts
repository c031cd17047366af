import { createPrincipalCache, parseSecret } from "@rowhouse/access";
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDataEngine } from "../src/engine/data-engine.ts";
import { createProcessBounds } from "../src/execute/process-bounds.ts";
import { parseCreateRequest } from "../src/parse/parse-write.ts";
import { createClient, grant, limits } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  for (const statement of [
    "create table teams (id int primary key)",
    "insert into teams values (1), (2)",
    `create table people (id int primary key, email text unique, age int constraint adult check (age >= 18),
       day date, name text not null default 'x', team_id int references teams, boss_id int references people,
       first int, last int, constraint spans check (first <= last), unique (first, last),
       secret text unique, held int, constraint held_small check (held < 10), exclude (held with =))`,
    "comment on constraint adult on people is 'checkMessage: Nobody under 18'",
    "insert into people (id, email, first, last, secret) values (1, 'taken@example.com', 1, 2, 's')",
    `create function refuse_name() returns trigger language plpgsql as $$
       begin if new.name = 'raise' then raise exception 'no such name'; end if;
       if new.name = 'divide' then new.age = 1 / 0; end if; return new; end $$`,
    "create trigger refuse before insert on people for each row execute function refuse_name()",
    "create table wide (id int primary key, " +
      `${Array.from({ length: 27 }, (_, at) => `c${at} ${at % 2 === 0 ? "date" : "int unique"}`).join(", ")})`,
  ]) {
    await test.database.query(statement);
  }
  for (const name of ["people", "wide"]) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH");
    const columns = await test.database.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = '${name}'::regclass and attnum > 0 and attname <> 'secret'`,
    );
    const fields = columns.map((column) => column.name);
    for (const action of ["READ", "CREATE", "UPDATE"] as const) {
      await grant(test.database, client.snapshots, roleId, `public/${name}`, {
        ...{ action, fields: action === "READ" ? fields : null },
        ...(action === "CREATE" ? { check: { name: { _neq: "denied" } } } : {}),
        ...(name === "wide" ? { check: null } : {}),
      });
    }
  }
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query("delete from people where id > 1");
});

/** Returns rows 0 to 999, with the given rows replaced. */
const thousand = (changes: Readonly<Record<number, object>>) =>
  Array.from({ length: 1000 }, (_, at) => ({ id: 1000 + at, name: "n", ...changes[at] }));

interface ShownFault {
  code: string;
  path?: string;
  message: string;
  details?: unknown;
}
const faultsOf = async (rows: readonly object[], query = "") => {
  const { status, body } = await client.create(user, "public/people", rows, query);
  return { status, faults: (body as { errors: ShownFault[] }).errors };
};
const shown = ({ faults }: { faults: ShownFault[] }) =>
  faults.map(({ code, path }) => `${code} ${path}`);

describe("a list of rows that is rejected", () => {
  it("every violated constraint is reported with its row and, if the caller may see it, its field", async () => {
    const answer = await faultsOf(
      thousand({
        3: { email: "taken@example.com" },
        10: { age: 17 },
        11: { first: 5, last: 4 },
        12: { first: 1, last: 2 },
        200: { name: null },
        201: { secret: "s" },
        202: { team_id: 3 },
        203: { name: "denied" },
        204: { name: "raise" },
        205: { name: "divide" },
        500: { email: "twice@example.com" },
        501: { email: "twice@example.com" },
        502: { id: 1 },
        700: { held: 3 },
        998: { held: 3 },
        999: { held: 11 },
      }),
    );
    expect(shown(answer)).toEqual([
      "UNIQUE_VIOLATION /data/3/email",
      "CHECK_VIOLATION /data/10/age",
      "CHECK_VIOLATION /data/11",
      "UNIQUE_VIOLATION /data/12",
      "REQUIRED_FIELD /data/200/name",
      "UNIQUE_VIOLATION /data/201",
      "FOREIGN_KEY_VIOLATION /data/202/team_id",
      "ACTION_DENIED /data/203",
      "CHECK_VIOLATION /data/204",
      "VALUE_INVALID /data/205",
      "UNIQUE_VIOLATION /data/501/email",
      "UNIQUE_VIOLATION /data/502/id",
      "CONFLICT /data/998/held",
      "CHECK_VIOLATION /data/999/held",
    ]);
    expect(answer.status).toBe(409);
    expect(answer.faults[1]?.message).toBe("Nobody under 18");
    expect(answer.faults[3]?.details).toEqual({ fields: ["first", "last"] });
    expect(answer.faults[5]?.details).toBeUndefined();
    expect((await client.list(user, "public/people", "count=exact&limit=0")).body).toMatchObject({
      meta: { count: 1 },
    });
  });

  it("impossible values and violated constraints are reported together, with at most 20 errors", async () => {
    const rows = thousand({
      4: { age: 3 },
      7: { day: "2020-02-30", age: 3 },
      900: { day: "2021-02-29" },
    });
    expect(shown(await faultsOf(rows))).toEqual([
      "CHECK_VIOLATION /data/4/age",
      "VALUE_INVALID /data/7/day",
      "VALUE_INVALID /data/900/day",
    ]);
    const all = await faultsOf(thousand({}).map((row) => ({ ...row, age: 1 })));
    expect(shown(all)).toEqual(
      Array.from({ length: 20 }, (_, at) => `CHECK_VIOLATION /data/${at}/age`),
    );
  });

  it("a row whose foreign key refers to another row of the list is not reported", async () => {
    const rows = thousand({ 2: { boss_id: 1900 }, 900: { boss_id: 1002 }, 950: { age: 1 } });
    expect(shown(await faultsOf(rows))).toEqual(["CHECK_VIOLATION /data/950/age"]);
    const { status } = await client.create(user, "public/people", rows.slice(0, 950));
    expect(status).toBe(201);
  });

  it("an upsert reports the rejected rows and the rows that repeat a key", async () => {
    const merge = "on_conflict=id&resolution=merge";
    expect(shown(await faultsOf(thousand({ 5: { id: 1, age: 2 } }), merge))).toEqual([
      "CHECK_VIOLATION /data/5/age",
    ]);
    expect(shown(await faultsOf(thousand({ 8: { id: 1004 }, 9: { id: 1004 } }), merge))).toEqual([
      "BODY_INVALID /data/8",
      "BODY_INVALID /data/9",
    ]);
    const ignore = "on_conflict=id&resolution=ignore";
    expect(shown(await faultsOf(thousand({ 5: { email: "taken@example.com" } }), ignore))).toEqual([
      "UNIQUE_VIOLATION /data/5/email",
    ]);
  });

  it("a constraint that PostgreSQL checks at commit is reported with its row", async () => {
    await test.database.query(
      "create table later (id int primary key, code int unique deferrable initially deferred)",
    );
    await expose(test.database, "public", "later", "GET", "POST");
    for (const action of ["READ", "CREATE"] as const) {
      await grant(test.database, client.snapshots, roleId, "public/later", { action });
    }
    const { body } = await client.create(user, "public/later", [
      ...[
        { id: 1, code: 1 },
        { id: 2, code: 2 },
        { id: 3, code: 1 },
      ],
    ]);
    expect(body).toMatchObject({ errors: [{ code: "UNIQUE_VIOLATION", path: "/data/2/code" }] });
  });
});

describe("the search for the errors of a list", () => {
  it("the number of statements grows with the errors and not with the values", async () => {
    const counted = countStatements(test.database);
    const engine = createDataEngine({
      database: counted.database,
      snapshots: createSnapshotStore(test.database),
      principals: createPrincipalCache(test.database, { record: () => {} }),
      bounds: createProcessBounds(),
    });
    const credential = parseSecret(user.secret);
    if (credential === undefined) throw new Error("not a secret");
    const statementsFor = async (change: (row: Record<string, unknown>, at: number) => void) => {
      const rows = Array.from({ length: 1000 }, (_, at) => {
        const row: Record<string, unknown> = { id: at };
        for (let column = 0; column < 27; column += 1) {
          row[`c${column}`] = column % 2 === 0 ? "2020-01-01" : at;
        }
        change(row, at);
        return row;
      });
      const target = { schema: "public", name: "wide", kind: "TABLE" } as const;
      const request = parseCreateRequest(target, "", rows, limits);
      const before = counted.count();
      const refusal: unknown = await engine
        .answer(request, { kind: "CREDENTIAL", credential })
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(AppError);
      const { faults } = refusal as AppError;
      return { faults: faults.length, statements: counted.count() - before };
    };
    const last = await statementsFor((row, at) => {
      if (at === 999) row.c26 = "2020-02-30";
    });
    expect(last.faults).toBe(1);
    expect(last.statements).toBeLessThan(70);
    const twice = await statementsFor((row, at) => {
      if (at === 999) row.c25 = 0;
    });
    expect(twice.faults).toBe(1);
    expect(twice.statements).toBeLessThan(40);
    const every = await statementsFor((row, at) => {
      row.c0 = "2020-02-30";
      row.c1 = at % 2;
    });
    expect(every.faults).toBe(20);
    expect(every.statements).toBeLessThan(120);
  });
});

/** A database that counts the statements sent to it. */
function countStatements(database: Database): { database: Database; count: () => number } {
  let statements = 0;
  const counting = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (own, name) => {
        const member: unknown = Reflect.get(own, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          if (name === "query") statements += 1;
          const wrapped = given.map((each) =>
            typeof each === "function" ? (part: object) => each(counting(part)) : each,
          );
          return Reflect.apply(member, own, wrapped) as unknown;
        };
      },
    });
  return { database: counting(database), count: () => statements };
}
