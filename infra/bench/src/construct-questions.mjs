// The constructs that are measured, each with the SQL by hand.

export const rowCount = 3_000_000;

const trip = `
  id bigint primary key, vehicle_id int not null references bench.vehicles, purpose text not null, distance_km int not null,
  planned_km int not null, quantity int not null, unit_price numeric(10, 2) not null, discount numeric(4, 2) not null,
  started_at timestamptz not null, during tstzrange not null, codes int[] not null, specification jsonb not null,
  note text not null, words tsvector not null`;

/** Two tables of trips, the second without indexes. */
export const schemaSql = `
  drop schema if exists bench cascade;
  create schema bench;
  create table bench.drivers (id int primary key, name text not null, distance_max int not null);
  create table bench.vehicles (id int primary key, plate text not null, driver_id int references bench.drivers);
  create table bench.tags (id int primary key, name text not null);
  create table bench.vehicle_tags (vehicle_id int references bench.vehicles, tag_id int references bench.tags,
    primary key (vehicle_id, tag_id));
  insert into bench.drivers select i, 'Driver ' || i, 200 + i % 300 from generate_series(1, 5000) i;
  insert into bench.vehicles select i, 'P-' || i, 1 + i % 5000 from generate_series(1, 100000) i;
  insert into bench.tags select i, 'tag ' || i from generate_series(1, 2000) i;
  insert into bench.vehicle_tags select i, 1 + (i * 7 + k * 131) % 2000 from generate_series(1, 100000) i, generate_series(1, 5) k;
  create index on bench.vehicle_tags (tag_id);
  create index on bench.vehicles (driver_id);
  create table bench.trips (${trip});
  insert into bench.trips (id, vehicle_id, purpose, distance_km, planned_km, quantity, unit_price, discount, started_at, during,
    codes, specification, note, words)
  select i.*, to_tsvector('simple', note) from (select i, 1 + (i::bigint * 7919 % 100000)::int, 'purpose ' || i % 40, i % 487, 100 + i % 300, 1 + i % 20, i % 1000 * 0.37,
    i % 30 * 0.01, at, tstzrange(at, at + (i % 600) * interval '1 minute'), array[i % 100, i % 70, i % 11],
    jsonb_build_object('seats', i % 9, 'color', 'color ' || i % 12),
    'note ' || i % 5000 || ' of the day ' || i % 365 || case when i % 1000 = 0 then ' broken window' else '' end as note
  from (select i, timestamptz '2024-01-01 00:00+00' + i * interval '15 seconds' as at
    from generate_series(1, ${rowCount}) i) i) i;
  create table bench.plain_trips (${trip});
  insert into bench.plain_trips select * from bench.trips;
  create index on bench.trips (vehicle_id);
  create index on bench.trips using gist (during);
  create index on bench.trips using gin (codes);
  create index on bench.trips using gin (words);
  create index on bench.trips (nullif(specification -> 'seats', 'null'), id);`;

const json = (rows) => `select json_agg(r)::text as json from (${rows}) r`;
const count = (rest) => `select count(*)::text as json from bench.${rest}`;

/** The constructs that read `trips`, by the indexed table or the other one. */
const ofTrips = (table, label) => {
  const relation = table === "trips" ? "trips" : "plain_trips";
  const from = `bench.${table}`;
  const numbers = `select vehicle_id, count(*) n, sum(distance_km) s from ${from} group by vehicle_id`;
  const lateral = (select) =>
    json(
      `select v.plate, t.* from (select * from bench.vehicles order by id limit 50) v, lateral (${select}) t order by v.id`,
    );
  const joined = (select) =>
    json(
      `select v.plate, t.n from (select * from bench.vehicles order by id limit 50) v left join (${select}) t on t.vehicle_id = v.id order by v.id`,
    );
  const isIndexed = table === "trips";
  const ofPage = (value, group = "") =>
    isIndexed
      ? lateral(`select ${value} n from ${from} t where t.vehicle_id = v.id${group}`)
      : joined(
          `select vehicle_id, ${value} n from ${from} where vehicle_id in (select id from bench.vehicles order by id limit 50) group by vehicle_id`,
        );
  const first5 = (order) =>
    `(select json_agg(x) from (select id, distance_km from ${from} t where t.vehicle_id = v.id order by ${order} limit 5) x)`;
  return [
    {
      name: "field against field, count",
      path: `${table}?limit=0&count=exact&where[distance_km][_gt]=$FIELD.planned_km`,
      hand: count(`${table} where distance_km > planned_km`),
    },
    {
      name: "field against field of two steps, count",
      path: `${table}?limit=0&count=exact&where[distance_km][_gt]=$FIELD.vehicle.driver.distance_max`,
      hand: count(
        `${table} t join bench.vehicles v on v.id = t.vehicle_id join bench.drivers d on d.id = v.driver_id where t.distance_km > d.distance_max`,
      ),
    },
    {
      name: "page of 50 with count and sum",
      path: `vehicles?fields=plate,${relation}.count,${relation}.sum(distance_km)&order_by=id&limit=50`,
      hand: ofPage("json_build_object('count', count(*), 'sum', sum(distance_km))"),
    },
    {
      name: "page of 50 with numbers by group",
      path: `vehicles?fields=plate,${relation}.count&order_by=id&limit=50&deep[${relation}][group_by]=purpose`,
      hand: isIndexed
        ? lateral(
            `select json_agg(g) n from (select purpose, count(*) from ${from} t where t.vehicle_id = v.id group by purpose) g`,
          )
        : joined(
            `select vehicle_id, json_agg(g) n from (select vehicle_id, purpose, count(*) from ${from} where vehicle_id in (select id from bench.vehicles order by id limit 50) group by vehicle_id, purpose) g group by vehicle_id`,
          ),
    },
    {
      name: "order by count, first 25",
      path: `vehicles?fields=plate&order_by=-${relation}.count,id&limit=25`,
      hand: json(
        `select v.plate from bench.vehicles v left join (${numbers}) t on t.vehicle_id = v.id order by coalesce(n, 0) desc, v.id limit 25`,
      ),
    },
    {
      name: "filter by count, count",
      path: `vehicles?limit=0&count=exact&where[${relation}][_count][_gte]=30`,
      hand: count(
        `vehicles v join (select vehicle_id from ${from} group by vehicle_id having count(*) >= 30) t on t.vehicle_id = v.id`,
      ),
    },
    {
      name: "filter by count of chosen rows, first 50",
      path: `vehicles?fields=plate&order_by=id&limit=50&where[${relation}][_count][_gte]=2&where[${relation}][_count][_where][distance_km][_gt]=450`,
      hand: isIndexed
        ? json(
            `select plate from bench.vehicles v where (select count(*) from ${from} t where t.vehicle_id = v.id and distance_km > 450) >= 2 order by id limit 50`,
          )
        : json(
            `select plate from bench.vehicles v where id in (select vehicle_id from ${from} where distance_km > 450 group by vehicle_id having count(*) >= 2) order by id limit 50`,
          ),
    },
    {
      name: "two readings of 5 on a page of 50",
      skip: !isIndexed,
      path: `vehicles?fields=plate,long:${relation}.id,long:${relation}.distance_km,short:${relation}.id,short:${relation}.distance_km&order_by=id&limit=50&deep[long][order_by]=-distance_km,id&deep[long][limit]=5&deep[short][order_by]=distance_km,id&deep[short][limit]=5`,
      hand: lateral(
        `select ${first5("distance_km desc, id")} as long, ${first5("distance_km, id")} as short`,
      ),
    },
    {
      name: "order by a value in a document, first 25",
      path: `${table}?fields=id&order_by=-specification.seats,id&limit=25`,
      hand: json(
        `select id from ${from} order by nullif(specification -> 'seats', 'null') desc nulls first, id limit 25`,
      ),
    },
    {
      name: "group by a value in a document",
      path: `${table}?aggregate=count,sum(specification.seats)&group_by=specification.color`,
      hand: json(
        `select specification -> 'color' c, count(*), sum((specification ->> 'seats')::numeric) from ${from} group by 1`,
      ),
    },
    {
      name: "lowest and highest value in a document by group",
      path: `${table}?aggregate=min(specification.seats),max(specification.seats)&group_by=purpose`,
      hand: json(
        `select purpose, min((specification ->> 'seats')::numeric), max((specification ->> 'seats')::numeric) from ${from} group by 1`,
      ),
    },
    {
      name: "ranges that contain a moment, count",
      path: `${table}?limit=0&count=exact&where[during][_contains_value]=2024-06-01T12:00:00Z`,
      hand: count(`${table} where during @> timestamptz '2024-06-01 12:00+00'`),
    },
    {
      name: "arrays that overlap, count",
      path: `${table}?limit=0&count=exact&where={"codes":{"_has_any":[97,98]}}`,
      hand: count(`${table} where codes && array[97, 98]`),
    },
    {
      name: "arrays contained by a list, count",
      path: `${table}?limit=0&count=exact&where={"codes":{"_has_only":[1,2,3,4,5]}}`,
      hand: count(`${table} where codes <@ array[1, 2, 3, 4, 5]`),
    },
    {
      name: "group by the weekday",
      path: `${table}?aggregate=count&group_by=date_part(weekday,started_at)`,
      hand: json(
        `select extract(isodow from started_at at time zone 'UTC')::int d, count(*) from ${from} group by 1`,
      ),
    },
    {
      name: "filter by the hour, count",
      path: `${table}?limit=0&count=exact&where[started_at][_part][hour][_eq]=7`,
      hand: count(`${table} where extract(hour from started_at at time zone 'UTC') = 7`),
    },
    {
      name: "sum of products by group",
      path: `${table}?aggregate=sum(quantity*unit_price*(1-discount)):revenue&group_by=purpose`,
      hand: json(
        `select purpose, sum(quantity * unit_price * (1 - discount)) revenue from ${from} group by 1`,
      ),
    },
    {
      name: "quotient by group",
      path: `${table}?aggregate=avg(unit_price/quantity):each&group_by=purpose`,
      hand: json(
        `select purpose, avg(unit_price / nullif(quantity, 0)) each from ${from} group by 1`,
      ),
    },
    {
      name: "words in a tsvector, count",
      path: `${table}?limit=0&count=exact&where={"words":{"_search":{"text":"broken window","config":"simple"}}}`,
      hand: count(`${table} where words @@ websearch_to_tsquery('simple', 'broken window')`),
    },
    {
      name: "words in a tsvector by rank, first 25",
      path: `${table}?fields=id&limit=25&order_by=-_rank,id&where={"words":{"_search":{"text":"broken window","config":"simple"}}}`,
      hand: json(
        `select id from ${from} where words @@ websearch_to_tsquery('simple', 'broken window') order by ts_rank(words, websearch_to_tsquery('simple', 'broken window')) desc, id limit 25`,
      ),
    },
    {
      name: "HEAD with an exact count",
      method: "HEAD",
      path: `${table}?count=exact`,
      hand: count(table),
    },
  ]
    .filter(({ skip }) => skip !== true)
    .map(({ skip: _, ...question }) => ({ ...question, name: `${question.name}, ${label}` }));
};

/** Each with `name`, `method`, `path` of the request, and `hand`, the SQL. */
export const questions = [
  ...ofTrips("trips", "indexed"),
  ...ofTrips("plain_trips", "no index"),
  {
    name: "junction, page of 50 with names",
    path: "vehicles?fields=plate,tags.name&order_by=id&limit=50",
    hand: json(
      `select v.plate, (select json_agg(json_build_object('name', t.name) order by t.id) from bench.vehicle_tags l join bench.tags t on t.id = l.tag_id where l.vehicle_id = v.id) tags from bench.vehicles v order by v.id limit 50`,
    ),
  },
  {
    name: "junction, filter by a name, count",
    path: "vehicles?limit=0&count=exact&where[tags][name][_eq]=tag 7",
    hand: count(
      `vehicles v where exists (select from bench.vehicle_tags l join bench.tags t on t.id = l.tag_id where l.vehicle_id = v.id and t.name = 'tag 7')`,
    ),
  },
  {
    name: "junction, order by count, first 25",
    path: "vehicles?fields=plate&order_by=-tags.count,id&limit=25",
    hand: json(
      `select v.plate from bench.vehicles v left join (select l.vehicle_id, count(*) n from bench.vehicle_tags l join bench.tags t on t.id = l.tag_id group by 1) g on g.vehicle_id = v.id order by coalesce(n, 0) desc, v.id limit 25`,
    ),
  },
];
