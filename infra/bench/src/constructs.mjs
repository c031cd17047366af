// Each construct of the query language over 3,000,000 rows, against the SQL that an engineer writes for the same answer.
import postgres from "postgres";
import { questions, rowCount, schemaSql } from "./construct-questions.mjs";
import { atEnd, median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { administer, administrator, signIn } from "./world.mjs";

const reader = {
  email: `reader-${process.pid}@example.com`,
  password: "another horse battery staple",
};
const tables = ["drivers", "vehicles", "trips", "plain_trips", "tags", "vehicle_tags"];

/** Prints the time of each construct, and its ratio to the SQL: the median of the ratios of the rounds. */
export async function benchConstructs({ rounds, only }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service.url}/readyz`);
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  atEnd(() => sql.end());
  // An earlier run may have filled the database of DATABASE_URL.
  const [{ filled }] = await sql`select to_regclass('bench.plain_trips') is not null as filled`;
  if (!filled) {
    await sql.unsafe(schemaSql);
    for (const name of tables) await sql.unsafe(`vacuum analyze bench.${name}`);
  }
  const hand = await start("./construct-hand.mjs", { DATABASE_URL: databaseUrl });
  const ask = await createReader(service.url);
  const chosen = questions
    .map((question, index) => ({ ...question, index }))
    .filter(({ name }) => only === undefined || name.includes(only));
  console.log(`${rowCount.toLocaleString("en")} rows, ${rounds} rounds\n`);
  console.log("construct".padEnd(58) + ["service ms", "by hand ms", "ratio"].map(cell).join(""));
  for (const question of chosen) {
    let times;
    try {
      times = await compareTimes(question, ask, `${hand.url}/${question.index}`, rounds);
    } catch (error) {
      console.log(`${question.name.padEnd(58)}  ${error.message}`);
      continue;
    }
    const ratio = median(times.map(([own, hand]) => own / hand));
    const columns = [0, 1].map((side) => median(times.map((pair) => pair[side])).toFixed(1));
    console.log(question.name.padEnd(58) + [...columns, ratio.toFixed(2)].map(cell).join(""));
  }
}

const cell = (text) => text.padStart(12);

/** Times both sides in turn. The second answer of each must exist, so that its plan and its pages are warm. */
async function compareTimes({ method = "GET", path }, ask, handUrl, rounds) {
  const sides = [() => ask(method, path), () => fetchText(handUrl)];
  for (const side of sides) await side();
  // Short answers are repeated, so that the clock and one other process weigh less.
  const once = await timeOf(sides[1]);
  const times = Math.max(1, Math.min(50, Math.round(200 / once)));
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const result = [];
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const own = [];
      for (let count = 0; count < times; count++) own.push(await timeOf(sides[side]));
      result[side] = median(own);
    }
    results.push(result);
  }
  return results;
}

async function timeOf(run) {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** Exposes the tables to a reader; returns a function that asks for a path with the reader's session. */
async function createReader(url) {
  const call = administer(url, await signIn(url, administrator));
  const role = await call("POST", "/roles", { name: `Readers ${process.pid}` });
  const user = await call("POST", "/users", reader);
  await call("POST", `/roles/${role.id}/members`, { userId: user.id });
  for (const name of tables) {
    const found = await call("GET", `/resources?search=bench.${name}`);
    const { id } = found.find((resource) => resource.relation === name) ?? found[0];
    await call("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
    await call("POST", "/grants", { roleId: role.id, resourceId: id, action: "READ" });
  }
  const headers = { Authorization: `Bearer ${await signIn(url, reader)}` };
  return async (method, path) => {
    await fetchText(`${url}/api/bench/table/${path}`, { method, headers });
  };
}

async function fetchText(url, options) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
}
