// The data, roles and sessions of the mixed load.
import { createSecret, digestSecret } from "@rowhouse/access";
import postgres from "postgres";
import { administer, administrator, rowCount, signIn } from "../world.mjs";

export const sessionCount = 500;
/** Users of each of the five groups; a seller owns one of `sellerCount` orders. */
const sellerCount = sessionCount / 5;

/** Creates the tables `bench_traffic.orders`, `makers` and `notes`. */
export async function loadOrders(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    drop schema if exists bench_traffic cascade;
    create schema bench_traffic;
    create table bench_traffic.makers (id integer primary key, name text not null, country text not null);
    insert into bench_traffic.makers select i, 'Maker ' || i, 'Country ' || i % 20 from generate_series(1, 500) i;
    create table bench_traffic.orders (
      id bigint generated always as identity primary key,
      owner text not null, team text not null, number text not null, status text not null,
      quantity integer not null, price numeric(12, 2) not null,
      maker_id integer references bench_traffic.makers (id), created_at timestamptz not null default now()
    );
    insert into bench_traffic.orders (owner, team, number, status, quantity, price, maker_id, created_at)
    select ${emailSql(`i % ${sellerCount} * 5`)}, 'team-' || i % 5, 'C-' || lpad(i::text, 8, '0'),
           (array['OPEN', 'PAID', 'SENT', 'CLOSED'])[1 + i % 4], i % 1000, i * 0.37, 1 + i / 7 % 500,
           timestamptz '2025-01-01' + i * interval '1 minute'
    from generate_series(1, ${rowCount}) i;
    create index on bench_traffic.orders (maker_id, id);
    create index on bench_traffic.orders (owner, id);
    create index on bench_traffic.orders (team, id);
    create table bench_traffic.notes (
      id bigint generated always as identity primary key,
      order_id bigint not null references bench_traffic.orders (id), author text not null, text text not null
    );
    analyze bench_traffic.makers;
    analyze bench_traffic.orders;`);
  await sql.end();
}

/**
 * Creates five roles with different row filters, 500 users and a session of each.
 *
 * @returns the secrets; user n is in the group n % 5
 */
export async function createSessions(url, databaseUrl) {
  const roles = await createRoles(url);
  const secrets = Array.from({ length: sessionCount }, () => createSecret("SESSION"));
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  // 500 sign-ins would take minutes, since each computes a slow password hash on purpose.
  await sql.begin(async (transaction) => {
    await transaction`select system.act_as((select id from system.users where email = ${administrator.email}))`;
    await transaction.unsafe(
      `insert into system.users (email, name, email_verified_at)
       select ${emailSql("n")}, 'team-' || n / 5 % 5, now() from generate_series(0, ${sessionCount - 1}) n`,
    );
    for (const [group, names] of groups.entries()) {
      for (const name of names) {
        await transaction.unsafe(
          `insert into system.role_members (role_id, user_id)
           select $1::uuid, u.id from system.users u join generate_series(0, ${sessionCount - 1}) n on u.email = ${emailSql("n")}
           where n % 5 = ${group}`,
          [roles[name]],
        );
      }
    }
    await transaction.unsafe(
      `insert into system.sessions (user_id, digest, method, expires_at)
       select u.id, s.digest::bytea, 'password', now() + interval '1 day'
       from unnest($1::text[]) with ordinality s(digest, n) join system.users u on u.email = ${emailSql("(n - 1)")}`,
      [secrets.map(digestSecret)],
    );
  });
  await sql.end();
  return secrets;
}

/** The roles of the groups 0 to 4. `isVisible` in load.mjs selects the same rows. */
const groups = [["Sellers"], ["Teams"], ["Countries"], ["Auditors"], ["Managers", "Sellers"]];

const written = ["owner", "team", "number", "status", "quantity", "price", "maker_id"];
const all = ["id", ...written, "created_at"];
const own = { owner: { _eq: "$USER.email" } };

/** Each role: its row filter, the fields that it reads, and whether it writes. */
const rights = {
  Sellers: { rowFilter: own, fields: all, writes: true },
  Teams: { rowFilter: { team: { _eq: "$USER.name" } }, fields: all, writes: true },
  Countries: {
    rowFilter: {
      "maker.country": { _in: Array.from({ length: 10 }, (_, number) => `Country ${number}`) },
    },
    fields: all,
    writes: true,
  },
  Auditors: {
    rowFilter: { _or: [{ status: { _in: ["OPEN", "PAID"] } }, { team: { _eq: "team-0" } }] },
    fields: all.filter((field) => field !== "owner"),
    writes: false,
  },
  Managers: { fields: all.filter((field) => field !== "team"), writes: true },
};

async function createRoles(url) {
  const call = administer(url, await signIn(url, administrator));
  const resources = {};
  for (const [name, exposedMethods] of [
    ["orders", ["GET", "POST", "PATCH"]],
    ["makers", ["GET"]],
    ["notes", ["POST"]],
  ]) {
    const [{ id }] = await call("GET", `/resources?search=bench_traffic.${name}`);
    await call("PATCH", `/resources/${id}`, { exposedMethods });
    resources[name] = id;
  }
  const roles = {};
  for (const [name, { rowFilter, fields, writes }] of Object.entries(rights)) {
    const { id: roleId } = await call("POST", "/roles", { name });
    roles[name] = roleId;
    const grant = (table, more) =>
      call("POST", "/grants", { roleId, resourceId: resources[table], ...more });
    const filter = rowFilter === undefined ? {} : { rowFilter };
    await grant("makers", { action: "READ" });
    await grant("orders", { action: "READ", fields, ...filter });
    if (!writes) continue;
    await grant("orders", { action: "UPDATE", fields: ["quantity", "price"], ...filter });
    await grant("orders", { action: "CREATE", fields: written, check: own });
    await grant("notes", {
      action: "CREATE",
      fields: ["order_id", "author", "text"],
      check: { author: { _eq: "$USER.email" } },
    });
  }
  return roles;
}

/** The address of user `n`; load.mjs composes it in Lua. */
function emailSql(n) {
  return `'user-' || ${n} || '@example.com'`;
}
