// npm run bench -- --revocations [--reads 1000000]
//
// Takes rights away while their owners read without a pause, and counts the responses that still had rows although their
// request began after the commit that took the right. Each caller has a table, a role and a session of its own.
import { Agent, get } from "node:http";
import { createSecret, digestSecret } from "@rowhouse/access";
import postgres from "postgres";
import { start, startDatabase, untilAnswers } from "./processes.mjs";
import { administrator } from "./world.mjs";

const callers = 8;
const readersOfCaller = 4;
/** Judged reads between two changes of a caller's right. */
const readsOfState = 50;

export async function benchRevocations({ reads }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service.url}/readyz`);
  const sql = postgres(databaseUrl, { max: callers, onnotice: () => {} });
  const agent = new Agent({ keepAlive: true, maxSockets: callers * readersOfCaller });
  const statusOf = (path, secret) =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${secret}` };
      get(service.url + path, { agent, headers }, (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode));
      }).once("error", reject);
    });
  const tally = { reads: 0, revocations: 0, stale: 0, missing: 0 };
  const begun = performance.now();
  const each = Array.from({ length: callers }, (_, number) => number);
  const owners = [];
  // One after the other: each creates a table.
  for (const number of each) owners.push(await createOwner(sql, number));
  await Promise.all(owners.map((owner) => observe(owner, { sql, statusOf, tally, reads })));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  await sql.end();
  const whole = (value) => value.toLocaleString("en");
  console.log(
    `${whole(tally.reads)} reads around ${whole(tally.revocations)} revocations in ${seconds.toFixed(0)} s`,
  );
  console.log(`stale       ${tally.stale} responses with rows after the right was taken`);
  console.log(`missing     ${tally.missing} responses without rows while the right was there`);
  if (tally.stale + tally.missing > 0) process.exitCode = 1;
}

/** Creates a user with a session, and the only right to read a table. */
async function createOwner(sql, number) {
  const table = `table_${number}`;
  const secret = createSecret("SESSION");
  await sql.unsafe("create schema if not exists bench_rights");
  await sql.unsafe(`drop table if exists bench_rights.${table}`);
  await sql.unsafe(`create table bench_rights.${table} (id int primary key, name text not null)`);
  await sql.unsafe(
    `insert into bench_rights.${table} select i, 'Row ' || i from generate_series(1, 100) i`,
  );
  const ids = await act(sql, async (transaction) => {
    const [user] = await transaction`insert into system.users (email, name, email_verified_at)
      values (${`owner-${number}@example.com`}, 'Owner', now()) returning id`;
    const [role] = await transaction`insert into system.roles (name)
      values (${`Readers ${number}`}) returning id`;
    const [resource] = await transaction`update system.resources set exposed_methods = '{GET}'
      where schema_name = 'bench_rights' and relation_name = ${table} returning id`;
    await transaction`insert into system.sessions (user_id, digest, method, expires_at)
      values (${user.id}, ${Buffer.from(digestSecret(secret).slice(2), "hex")}, 'password', now() + interval '1 day')`;
    return { user: user.id, role: role.id, resource: resource.id };
  });
  const rights = rightsOf(ids);
  for (const { give } of rights) await act(sql, give);
  return { path: `/api/bench_rights/table/${table}`, secret, rights };
}

/** What a caller needs, each with the way to take it away and to give it back. */
function rightsOf({ user, role, resource }) {
  return [
    {
      give: (tx) =>
        tx`insert into system.role_members (role_id, user_id) values (${role}, ${user})`,
      take: (tx) =>
        tx`delete from system.role_members where role_id = ${role} and user_id = ${user}`,
    },
    {
      give: (tx) => tx`insert into system.grants (role_id, resource_id, action, all_fields)
        values (${role}, ${resource}, 'READ', true)`,
      take: (tx) =>
        tx`delete from system.grants where role_id = ${role} and resource_id = ${resource}`,
    },
    {
      give: (tx) =>
        tx`update system.resources set exposed_methods = '{GET}' where id = ${resource}`,
      take: (tx) => tx`update system.resources set exposed_methods = '{}' where id = ${resource}`,
    },
    {
      give: (tx) =>
        tx`update system.sessions set expires_at = now() + interval '1 day' where user_id = ${user}`,
      take: (tx) =>
        tx`update system.sessions set expires_at = now() - interval '1 second' where user_id = ${user}`,
    },
  ];
}

function act(sql, work) {
  return sql.begin(async (transaction) => {
    await transaction`select system.act_as((select id from system.users where email = ${administrator.email}))`;
    return work(transaction);
  });
}

/** Reads without a pause, and takes one right after the other. */
async function observe({ path, secret, rights }, { sql, statusOf, tally, reads }) {
  // A read is judged if the state at its beginning still holds at its end; null while a change is in progress.
  let state = { has: true, judged: 0 };
  const isOver = () => tally.reads >= reads;
  const read = async (number) => {
    for (let count = 0; !isOver(); count += 1) {
      const before = state;
      const query = count % 3 === 0 ? "?limit=5" : `/${1 + ((count * 7 + number) % 100)}`;
      const status = await statusOf(path + query, secret);
      if (before === null || before !== state) continue;
      tally.reads += 1;
      before.judged += 1;
      if (before.has && status !== 200) tally.missing += 1;
      if (!before.has && status === 200) tally.stale += 1;
    }
  };
  const change = async () => {
    for (let count = 0; !isOver(); count += 1) {
      const { give, take } = rights[count % rights.length];
      for (const [work, has] of [
        [take, false],
        [give, true],
      ]) {
        while (state.judged < readsOfState && !isOver()) await new Promise(setImmediate);
        state = null;
        await act(sql, work);
        state = { has, judged: 0 };
      }
      tally.revocations += 1;
    }
  };
  const readers = Array.from({ length: readersOfCaller }, (_, number) => read(number));
  await Promise.all([...readers, change()]);
}
