// A dashboard of 20 panels over 3,000,000 rows: statements and time, against the same SQL by hand in one run.
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { atEnd, median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { administer, administrator, signIn } from "./world.mjs";

const rowCount = 3_000_000;
const reader = { email: "reader@example.com", password: "another horse battery staple" };
const atOnce = 3;
const openings = 5;
const where = "owner = 'reader@example.com'";
const period = { from: "2025-03-01", until: "2025-09-01" };
const inPeriod = `${where} and placed_at >= timestamptz '2025-03-01 00:00+00' and placed_at < timestamptz '2025-09-01 00:00+00'`;
const before = `${where} and placed_at >= timestamptz '2024-08-29 00:00+00' and placed_at < timestamptz '2025-03-01 00:00+00'`;

const figure = (aggregate) => ({ kind: "FIGURE", definition: { aggregate: [aggregate] } });
const chart = (aggregate, ...groupBy) => ({
  kind: "CHART",
  definition: { aggregate: [aggregate], groupBy },
});
const bucket = (unit) => `date_trunc('${unit}', placed_at, 'UTC')`;
const grouped = (value, ...groups) =>
  `select ${groups.join(", ")}, ${value} from bench.orders where ${inPeriod} group by ${groups.join(", ")} order by ${groups.join(", ")}`;

/** Each panel with its SQL by hand: one statement for each distinct reading. */
const panels = [
  [figure("count"), [`select count(*) from bench.orders where ${inPeriod}`]],
  [figure("sum(amount)"), [`select sum(amount) from bench.orders where ${inPeriod}`]],
  [figure("avg(amount)"), [`select avg(amount) from bench.orders where ${inPeriod}`]],
  [figure("max(amount)"), [`select max(amount) from bench.orders where ${inPeriod}`]],
  [
    {
      ...figure("count"),
      definition: {
        aggregate: ["count"],
        time: { field: "placed_at", unit: "week" },
        ...{ comparison: true, sparkline: true },
      },
    },
    [`select count(*) from bench.orders where ${before}`, grouped("count(*)", bucket("week"))],
  ],
  [chart("count", "state"), [grouped("count(*)", "state")]],
  [chart("sum(amount)", "state"), [grouped("sum(amount)", "state")]],
  [chart("count", "city"), [grouped("count(*)", "city")]],
  [chart("sum(amount)", "city"), [grouped("sum(amount)", "city")]],
  [chart("count", "date_trunc(day,placed_at)"), [grouped("count(*)", bucket("day"))]],
  [chart("sum(amount)", "date_trunc(week,placed_at)"), [grouped("sum(amount)", bucket("week"))]],
  [
    chart("count", "date_trunc(month,placed_at)", "state"),
    [grouped("count(*)", bucket("month"), "state")],
  ],
  [
    { kind: "PIVOT", definition: { aggregate: ["count"], rows: ["city"], columns: ["state"] } },
    [grouped("count(*)", "city", "state")],
  ],
  [
    { kind: "LIST", definition: { orderBy: ["-id"], limit: 10 } },
    [
      `select id, state, city, amount, placed_at from bench.orders where ${inPeriod} order by id desc limit 10`,
    ],
  ],
  [{ kind: "TEXT", definition: { markdown: "# Orders" } }, []],
  // The same readings as other panels.
  [figure("count"), []],
  [chart("count", "state"), []],
  [chart("count", "city"), []],
  [chart("sum(amount)", "state"), []],
  [chart("count", "date_trunc(day,placed_at)"), []],
];

export async function benchDashboards({ rounds }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const { url: service } = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service}/readyz`);
  const sql = postgres(databaseUrl, { max: atOnce, onnotice: () => {} });
  atEnd(() => sql.end());
  await loadOrders(sql);
  const open = await createBoard(service);
  await open();
  await byHand(sql);
  const times = { service: [], hand: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.service.push(await timeOf(open));
    times.hand.push(await timeOf(() => byHand(sql)));
  }
  const statements = panels.flatMap(([, texts]) => texts).length;
  const ratios = times.service.map((time, index) => time / times.hand[index]);
  const seconds = (list) => `${(median(list) / 1000).toFixed(2)} s`;
  console.log(`${rowCount.toLocaleString("en")} rows, ${panels.length} panels, ${rounds} rounds\n`);
  console.log(`by hand     ${seconds(times.hand)}, ${statements} statements`);
  console.log(`dashboard   ${seconds(times.service)}, ${await statementsOf(sql, open)} statements`);
  console.log(`ratio       ${median(ratios).toFixed(2)}`);
}

async function loadOrders(sql) {
  await sql.unsafe(`
    create schema if not exists bench;
    drop table if exists bench.orders;
    create table bench.orders (id bigint primary key, owner text not null, state text not null, city text not null,
      amount numeric(12, 2) not null, placed_at timestamptz not null);
    insert into bench.orders select i, case when i % 10 = 0 then 'other@example.com' else '${reader.email}' end, (array['NEW', 'SENT', 'PAID', 'LOST'])[1 + i % 4],
      'City ' || i % 25, i % 1000 * 0.37, timestamptz '2024-07-01 00:00+00' + i * interval '15 seconds' from generate_series(1, ${rowCount}) i`);
  await sql.unsafe("vacuum analyze bench.orders");
}

/** Creates the dashboard over HTTP; returns a function that opens it and requires every panel. */
async function createBoard(url) {
  const call = administer(url, await signIn(url, administrator));
  const [resource] = await call("GET", "/resources?search=bench.orders");
  await call("PATCH", `/resources/${resource.id}`, { exposedMethods: ["GET"] });
  const role = await call("POST", "/roles", { name: "Readers" });
  const user = await call("POST", "/users", reader);
  await call("POST", `/roles/${role.id}/members`, { userId: user.id });
  await call("POST", "/grants", {
    ...{ roleId: role.id, resourceId: resource.id, action: "READ" },
    fields: ["id", "state", "city", "amount", "placed_at"],
    rowFilter: { owner: { _eq: "$USER.email" } },
  });
  const bindings = [{ parameter: "period", field: "placed_at" }];
  const board = await call("POST", "/dashboards", {
    name: "Orders",
    roleIds: [role.id],
    parameters: [{ name: "period", label: "Period", kind: "PERIOD", default: period }],
    panels: panels.map(([panel], index) => ({
      id: `panel-${index}`,
      ...(panel.kind === "TEXT" ? {} : { resourceId: resource.id, bindings }),
      ...panel,
    })),
  });
  const headers = { Authorization: `Bearer ${await signIn(url, reader)}` };
  return async () => {
    const answer = await fetch(`${url}/app/api/dashboards/${board.id}`, { headers });
    const { data } = await answer.json();
    const failed = data?.panels?.find(({ error }) => error !== undefined);
    if (!answer.ok || failed !== undefined)
      throw new Error(`The dashboard failed: ${JSON.stringify(failed)}`);
  };
}

/** Runs the statements, as many at once as the service. */
async function byHand(sql) {
  const texts = panels.flatMap(([, statements]) => statements);
  const worker = async () => {
    for (let text = texts.shift(); text !== undefined; text = texts.shift()) await sql.unsafe(text);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function timeOf(run) {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** Transactions of one opening, by the counter of PostgreSQL, less those of the same time without one. */
async function statementsOf(sql, open) {
  const committed = async () => {
    // An idle session of PostgreSQL publishes its counters up to ten seconds late.
    await delay(12_000);
    const [row] = await sql.unsafe(
      "select xact_commit::int as n from pg_stat_database where datname = current_database()",
    );
    return row.n;
  };
  const start = await committed();
  const idleFrom = performance.now();
  await delay(10_000);
  const idle = await committed();
  const perMs = (idle - start) / (performance.now() - idleFrom);
  const from = performance.now();
  for (let count = 0; count < openings; count += 1) await open();
  const end = await committed();
  const other = perMs * (performance.now() - from);
  return Math.round((end - idle - other) / openings);
}
