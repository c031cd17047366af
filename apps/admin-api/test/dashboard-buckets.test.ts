// Tiers: long, topologies. One of the longest files.
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Each figure and each bucket is compared with SQL that is written by hand. The rows lie around both changes of clocks of
// several zones: one at midnight (Havana), one by half an hour (Lord Howe), and zones with quarters of hours.

let environment: TestEnvironment;
let reader: TestUser;
let resourceId: string;

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Havana",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Africa/Cairo",
];

const query = <Row extends Record<string, unknown>>(text: string) =>
  environment.test.database.query<Row>(text);

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await query(
    `create table public.moments (id int primary key, kind text not null, amount numeric, at timestamptz, local_at timestamp, day date)`,
  );
  await query(
    `insert into public.moments
       select row_number() over (order by g, k), k, (extract(epoch from g)::bigint / 900) % 97, g, g at time zone 'UTC', (g at time zone 'UTC')::date
       from (values ('2024-03-07 00:00+00'::timestamptz, '2024-03-12 00:00+00'::timestamptz), ('2024-03-29 20:00+00', '2024-04-01 20:00+00'),
         ('2024-04-05 12:00+00', '2024-04-07 12:00+00'), ('2024-04-25 12:00+00', '2024-04-27 12:00+00'),
         ('2024-10-04 12:00+00', '2024-10-06 12:00+00'), ('2024-10-26 12:00+00', '2024-11-04 12:00+00')) r (a, b),
         generate_series(r.a, r.b, interval '45 minutes') g, (values ('a'), ('b')) k (k)
       where extract(epoch from g)::bigint % 3 < 2 and not (k = 'b' and extract(hour from g at time zone 'UTC') between 3 and 9)`,
  );
  await query("insert into public.moments values (100001, 'a', 5, null, null, null)");
  await expose(database, "public", "moments", "GET");
  await query("insert into system.roles (name) values ('Readers')");
  reader = await createUser(database, "reader@example.com", "Readers");
  const [role] = await query<{ id: string }>("select id from system.roles where name = 'Readers'");
  const [resource] = await query<{ id: string }>(
    "select id from system.resources where relation_name = 'moments'",
  );
  resourceId = resource?.id ?? "";
  const granted = await environment.ask("POST", "/grants", {
    roleId: role?.id,
    resourceId,
    action: "READ",
  });
  expect(granted.status).toBe(201);
});
afterAll(() => environment.test.drop());

type Row = Record<string, unknown>;

async function preview(panel: object, zone: string, more: object = {}) {
  const answer = await environment.ask(
    "POST",
    "/dashboards/preview",
    {
      dashboard: { name: "Board", panels: [{ id: "one", resourceId, ...panel }], ...more },
      as: { userId: reader.id },
    },
    undefined,
    { "X-Service-Timezone": zone },
  );
  expect(answer.faults).toEqual([]);
  const [opened] = answer.body.data.panels;
  expect(opened.error).toBeUndefined();
  return opened as Row & { rows: Row[] };
}

const chart = (groupBy: string[], more: object = {}) => ({
  kind: "CHART",
  definition: { aggregate: ["count", "sum(amount)"], groupBy, limit: 1000, ...more },
});

describe("the buckets of a chart", () => {
  for (const zone of zones) {
    it(`have the counts and sums of SQL by hand in ${zone}, by hour and by day`, async () => {
      for (const unit of ["hour", "day", "week", "month"]) {
        const part = `at >= '2024-10-20' and at < '2024-11-10'`;
        const { rows, filled } = await preview(
          chart([`date_trunc(${unit},at)`], {
            where: { at: { _gte: "2024-10-20T00:00:00Z", _lt: "2024-11-10T00:00:00Z" } },
          }),
          zone,
        );
        expect(filled, unit).toBe(true);
        const expected = await query<Row>(
          `select json_build_object('at_${unit}', date_trunc('${unit}', at, '${zone}'), 'count', count(*), 'sum_amount', sum(amount)::text) as row
           from public.moments where ${part} group by date_trunc('${unit}', at, '${zone}') order by date_trunc('${unit}', at, '${zone}')`,
        );
        expect(
          rows.filter((row) => row.count !== 0),
          unit,
        ).toEqual(expected.map(({ row }) => row));
      }
    });

    it(`have no gap and no bucket too many in ${zone}`, async () => {
      for (const [from, until] of [
        ["2024-03-08", "2024-03-12"],
        ["2024-03-30", "2024-04-08"],
        ["2024-04-25", "2024-04-28"],
        ["2024-10-04", "2024-10-07"],
        ["2024-10-26", "2024-11-05"],
      ]) {
        for (const unit of ["hour", "day"]) {
          const { rows, filled } = await preview(
            {
              ...chart([`date_trunc(${unit},at)`]),
              bindings: [{ parameter: "period", field: "at" }],
            },
            zone,
            {
              parameters: [
                { name: "period", label: "Period", kind: "PERIOD", default: { from, until } },
              ],
            },
          );
          expect(filled).toBe(true);
          // Every minute of these days, truncated; counted by the local date alone.
          const expected = await query<Row>(
            `select json_build_object('at_${unit}', b.bucket, 'count', coalesce(m.count, 0), 'sum_amount', m.sum::text) as row
             from (select distinct date_trunc('${unit}', g, '${zone}') as bucket
               from generate_series('${from}'::timestamptz - interval '2 days', '${until}'::timestamptz + interval '2 days', interval '1 minute') g
               where (g at time zone '${zone}')::date >= '${from}' and (g at time zone '${zone}')::date < '${until}') b
             left join (select date_trunc('${unit}', at, '${zone}') as bucket, count(*), sum(amount) from public.moments
               where (at at time zone '${zone}')::date >= '${from}' and (at at time zone '${zone}')::date < '${until}' group by 1) m using (bucket)
             order by b.bucket`,
          );
          expect(rows, `${from} ${unit}`).toEqual(expected.map(({ row }) => row));
        }
      }
    });
  }

  it("are filled for dates and for timestamps without a zone, too", async () => {
    for (const [field, type] of [
      ["local_at", "timestamp"],
      ["day", "date"],
    ] as const) {
      for (const unit of ["day", "week", "month", "quarter", "year"]) {
        const { rows } = await preview(
          chart([`date_trunc(${unit},${field})`], {
            where: { [field]: { _nnull: true }, kind: { _eq: "b" } },
          }),
          "Europe/Berlin",
        );
        const step = unit === "quarter" ? "3 months" : `1 ${unit}`;
        const expected = await query<Row>(
          `select json_build_object('${field}_${unit}', g::${type}, 'count', count(m.id), 'sum_amount', sum(m.amount)::text) as row
           from (select min(date_trunc('${unit}', ${field}::timestamp)) as low, max(date_trunc('${unit}', ${field}::timestamp)) as high from public.moments where kind = 'b') r,
             generate_series(r.low, r.high, interval '${step}') g
           left join public.moments m on kind = 'b' and date_trunc('${unit}', m.${field}::timestamp) = g group by g order by g`,
        );
        expect(rows, `${field} ${unit}`).toEqual(expected.map(({ row }) => row));
      }
    }
  });

  it("have a row for each series, and keep rows without a time", async () => {
    const { rows } = await preview(
      chart(["date_trunc(day,day)", "kind"], { where: { id: { _gte: 0 } } }),
      "UTC",
    );
    const dated = rows.filter((row) => row.day_day !== null);
    const days = [...new Set(dated.map((row) => row.day_day))];
    expect(dated).toHaveLength(days.length * 2);
    expect(days).toEqual([...days].sort());
    expect(days).toHaveLength(243);
    expect(rows.at(-1)).toEqual({ day_day: null, kind: "a", count: 1, sum_amount: "5" });
    expect(rows.filter((row) => row.count === 0).every((row) => row.sum_amount === null)).toBe(
      true,
    );
  });

  it("are descending if the order is, and stay as they are beyond 2,000, with a limit, and with a condition", async () => {
    const descending = await preview(
      chart(["date_trunc(day,day)"], { orderBy: ["-day_day:nulls_last"] }),
      "UTC",
    );
    const days = descending.rows.slice(0, -1).map((row) => String(row.day_day));
    expect(days).toEqual([...days].sort().reverse());
    expect(days).toHaveLength(243);
    const unfilled = [
      chart(["date_trunc(minute,at)"], { limit: 5 }),
      chart(["date_trunc(minute,at)"], { where: { id: { _in: [1, 900] } } }),
      chart(["date_trunc(day,at)"], { having: { count: { _gt: 3 } } }),
      chart(["date_trunc(day,at)"], { orderBy: ["-count"] }),
    ];
    for (const panel of unfilled) {
      const { rows, filled } = await preview(panel, "UTC");
      expect(filled).toBe(false);
      expect(rows.every((row) => row.count !== 0)).toBe(true);
    }
    const off = await preview(chart(["date_trunc(day,at)"], { fillGaps: false }), "UTC");
    expect(off).not.toHaveProperty("filled");
  });
});

describe("the rows behind a bucket", () => {
  it("are as many as the bucket counts, in every zone and at every change of clocks", async () => {
    const board = await environment.ask("POST", "/dashboards", {
      name: "Marks",
      roleIds: (
        await query<{ id: string }>("select id from system.roles where name = 'Readers'")
      ).map(({ id }) => id),
      panels: ["hour", "day"].map((unit) => ({
        id: unit,
        resourceId,
        ...chart([`date_trunc(${unit},at)`], {
          where: { at: { _gte: "2024-10-04T12:00:00Z" }, id: { _lte: 100000 } },
        }),
      })),
    });
    const path = `/dashboards/${board.body.data.id}`;
    for (const zone of zones) {
      const headers = { "X-Service-Timezone": zone };
      const { panels } = (await environment.app(path, reader.secret, headers)).body.data;
      for (const panel of panels) {
        const rows = (panel.rows as Row[]).filter((row) => {
          const bucket = String(row[`at_${panel.id}`]);
          return panel.id === "day" || /^2024-(?:10-0[56]|10-27|11-03)/.test(bucket);
        });
        for (const row of rows.filter((_, index) => panel.id === "day" || index % 3 === 0)) {
          const mark = encodeURIComponent(
            JSON.stringify({ [`at_${panel.id}`]: row[`at_${panel.id}`] }),
          );
          const answer = await environment.app(
            `${path}/panels/${panel.id}/rows?mark=${mark}&count=exact&limit=1`,
            reader.secret,
            headers,
          );
          expect(answer.body.meta?.count, `${zone} ${mark}`).toBe(row.count);
        }
      }
    }
  });
});

describe("a figure", () => {
  const period = { from: "2024-10-27", until: "2024-11-03" };
  const parameters = [{ name: "period", label: "Period", kind: "PERIOD", default: period }];
  const figure = (definition: object) => ({
    kind: "FIGURE",
    definition: { aggregate: ["sum(amount)"], ...definition },
    bindings: [{ parameter: "period", field: "at" }],
  });

  it("is compared with the days before, in the reader's time zone", async () => {
    for (const zone of zones) {
      const opened = await preview(
        figure({ time: { field: "at" }, comparison: true, sparkline: true }),
        zone,
        { parameters },
      );
      const within = (from: string, until: string) =>
        `(at at time zone '${zone}')::date >= '${from}' and (at at time zone '${zone}')::date < '${until}'`;
      const [expected] = await query<Row>(
        `select (select sum(amount)::text from public.moments where ${within("2024-10-27", "2024-11-03")}) as value,
           (select sum(amount)::text from public.moments where ${within("2024-10-20", "2024-10-27")}) as previous`,
      );
      expect(opened.figure, zone).toEqual(expected);
      const buckets = await query<Row>(
        `select json_build_object('bucket', date_trunc('day', at, '${zone}'), 'value', sum(amount)::text) as row
         from public.moments where ${within("2024-10-27", "2024-11-03")} group by date_trunc('day', at, '${zone}') order by date_trunc('day', at, '${zone}')`,
      );
      expect(opened.sparkline, zone).toEqual(buckets.map(({ row }) => row));
    }
  });

  it("has no previous value without a period, and its sparkline shows the latest 30 buckets", async () => {
    const opened = await preview(
      {
        ...figure({ time: { field: "at", unit: "day" }, comparison: true, sparkline: true }),
        bindings: [],
      },
      "UTC",
    );
    const [sum] = await query<Row>("select sum(amount)::text as value from public.moments");
    expect(opened.figure).toEqual({ value: sum?.value, previous: null });
    const points = opened.sparkline as Row[];
    expect(points).toHaveLength(30);
    expect(points.at(-1)?.bucket).toBe("2024-11-04T00:00:00+00:00");
    expect(points[0]?.bucket).toBe("2024-10-06T00:00:00+00:00");
    expect(points[5]?.value).toBeNull();
  });
});

describe("a pivot table", () => {
  it("has the cells and the totals of SQL by hand", async () => {
    const opened = await preview(
      {
        kind: "PIVOT",
        definition: {
          aggregate: ["avg(amount)", "count_distinct(day)"],
          rows: ["kind"],
          columns: ["date_trunc(month,local_at)"],
        },
        presentation: { version: 1, totals: true },
      },
      "UTC",
    );
    const cells = async (columns: string[], group: string) =>
      (
        await query<Row>(
          `select json_build_object(${columns.map((sql) => `'${sql.includes("trunc") ? "local_at_month" : "kind"}', ${sql}`).join(", ")}
             ${columns.length === 0 ? "" : ","} 'avg_amount', avg(amount)::text, 'count_distinct_day', count(distinct day)) as row
           from public.moments ${group}`,
        )
      ).map(({ row }) => row);
    const month = "date_trunc('month', local_at)";
    expect(opened.pivot).toEqual({ rows: ["kind"], columns: ["local_at_month"] });
    expect(opened.rows).toEqual(
      await cells(["kind", month], `group by kind, ${month} order by kind, ${month}`),
    );
    expect(opened.totals).toEqual({
      rows: await cells(["kind"], "group by kind order by kind"),
      columns: await cells([month], `group by ${month} order by ${month}`),
      all: (await cells([], ""))[0],
    });
  });
});
