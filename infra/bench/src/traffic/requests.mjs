// The requests of the mixed load: 15 reads that are 80 of 100 requests, and 5 writes. `#` is a key, `@` the number of a maker.
//
// The service receives `path`; the handwritten handler receives `/traffic/<name>/<value>` and runs `sql`, which computes
// the same answer without rights. A developer would give each use a route of its own.
const orders = "/api/bench_traffic/table/orders";
const makers = "/api/bench_traffic/table/makers";
const notes = "/api/bench_traffic/table/notes";

const columns =
  "o.id::text as id, o.owner, o.team, o.number, o.status, o.quantity, o.price::text as price, o.maker_id, o.created_at";
const row = (fields, from) =>
  `select row_to_json(r)::text as json from (select ${fields} from ${from}) r`;
const rows = (fields, from) =>
  `select coalesce(json_agg(r), '[]')::text as json from (select ${fields} from ${from}) r`;
const table = "bench_traffic.orders o";
const withMaker = `${table} left join bench_traffic.makers m on m.id = o.maker_id`;
const byKey = "where o.id = $1::bigint";
const change = (set) =>
  `with o as (update ${table} set ${set} ${byKey} returning *) ${row(columns, "o")}`;

export const requests = [
  {
    name: "order",
    weight: 14,
    path: `${orders}/#`,
    sql: row(columns, `${table} ${byKey}`),
  },
  {
    name: "order-status",
    weight: 10,
    path: `${orders}/#?fields=id,status`,
    sql: row("o.id::text as id, o.status", `${table} ${byKey}`),
  },
  {
    name: "order-price",
    weight: 8,
    path: `${orders}/#?fields=id,number,quantity,price,created_at`,
    sql: row(
      "o.id::text as id, o.number, o.quantity, o.price::text as price, o.created_at",
      `${table} ${byKey}`,
    ),
  },
  {
    name: "order-with-maker",
    weight: 6,
    path: `${orders}/#?fields=id,status,maker.name,maker.country`,
    sql: row(
      "o.id::text as id, o.status, json_build_object('name', m.name, 'country', m.country) as maker",
      `${withMaker} ${byKey}`,
    ),
  },
  {
    name: "maker",
    weight: 6,
    path: `${makers}/@`,
    sql: row("m.*", "bench_traffic.makers m where m.id = $1::integer"),
  },
  {
    name: "newest",
    weight: 6,
    value: "",
    path: `${orders}?fields=id,number,status,price&order_by=-id&limit=25`,
    sql: rows(
      "o.id::text as id, o.number, o.status, o.price::text as price",
      `${table} order by o.id desc limit 25`,
    ),
  },
  {
    name: "after",
    weight: 5,
    path: `${orders}?where[id][_gt]=#&order_by=id&limit=25`,
    sql: rows(columns, `${table} where o.id > $1::bigint order by o.id limit 25`),
  },
  {
    name: "of-maker",
    weight: 5,
    path: `${orders}?where[maker_id][_eq]=@&order_by=-created_at,id&limit=20`,
    sql: rows(
      columns,
      `${table} where o.maker_id = $1::integer order by o.created_at desc, o.id limit 20`,
    ),
  },
  {
    name: "several",
    weight: 4,
    value: "#,#,#,#,#",
    path: `${orders}?where[id][_in]=#,#,#,#,#&fields=id,number,status&order_by=id`,
    sql: rows(
      "o.id::text as id, o.number, o.status",
      `${table} where o.id = any (string_to_array($1, ',')::bigint[]) order by o.id limit 50`,
    ),
  },
  {
    name: "after-with-maker",
    weight: 4,
    path: `${orders}?where[id][_gt]=#&order_by=id&limit=25&fields=id,number,price,maker.name`,
    sql: rows(
      "o.id::text as id, o.number, o.price::text as price, json_build_object('name', m.name) as maker",
      `${withMaker} where o.id > $1::bigint order by o.id limit 25`,
    ),
  },
  {
    name: "counted",
    weight: 3,
    path: `${orders}?where[maker_id][_eq]=@&fields=id,number,status&order_by=id&limit=10&count=exact`,
    sql: `select (${rows(
      "o.id::text as id, o.number, o.status",
      `${table} where o.maker_id = $1::integer order by o.id limit 10`,
    )}) || ',"count":' || (select count(*) from ${table} where o.maker_id = $1::integer) as json`,
  },
  {
    name: "maker-with-orders",
    weight: 3,
    path: `${makers}/@?fields=id,name,orders.id,orders.price&deep[orders][limit]=5&deep[orders][order_by]=-id`,
    sql: row(
      `m.id, m.name, (${rows(
        "o.id::text as id, o.price::text as price",
        `${table} where o.maker_id = m.id order by o.id desc limit 5`,
      )})::json as orders`,
      "bench_traffic.makers m where m.id = $1::integer",
    ),
  },
  {
    name: "second-page",
    weight: 2,
    path: `${orders}?where[maker_id][_eq]=@&fields=id,number,status&order_by=id&limit=10&offset=10`,
    sql: rows(
      "o.id::text as id, o.number, o.status",
      `${table} where o.maker_id = $1::integer order by o.id limit 10 offset 10`,
    ),
  },
  {
    name: "sums",
    weight: 2,
    path: `${orders}?aggregate=count,sum(price)&group_by=status&where[maker_id][_eq]=@`,
    sql: rows(
      "o.status, count(*)::text as count, sum(o.price)::text as sum_price",
      `${table} where o.maker_id = $1::integer group by o.status`,
    ),
  },
  {
    name: "open-or-large",
    weight: 2,
    path: `${orders}?where[_or][0][status][_eq]=OPEN&where[_or][1][quantity][_gt]=900&where[id][_gt]=#&fields=id,number&order_by=id&limit=10`,
    sql: rows(
      "o.id::text as id, o.number",
      `${table} where (o.status = 'OPEN' or o.quantity > 900) and o.id > $1::bigint order by o.id limit 10`,
    ),
  },
  {
    name: "set-quantity",
    weight: 7,
    method: "PATCH",
    path: `${orders}/#`,
    data: { quantity: 7 },
    sql: change("quantity = ($2::text::json ->> 'quantity')::integer"),
  },
  {
    name: "set-price",
    weight: 5,
    method: "PATCH",
    path: `${orders}/#`,
    data: { price: "12.50", quantity: 5 },
    sql: change(
      "price = ($2::text::json ->> 'price')::numeric, quantity = ($2::text::json ->> 'quantity')::integer",
    ),
  },
  {
    name: "note",
    weight: 4,
    method: "POST",
    path: notes,
    data: { order_id: "#", author: "$EMAIL", text: "A note on the order" },
    sql: `with n as (insert into bench_traffic.notes (order_id, author, text)
      values (($1::text::json ->> 'order_id')::bigint, $1::text::json ->> 'author', $1::text::json ->> 'text') returning *) ${row("n.*", "n")}`,
  },
  {
    name: "new-order",
    weight: 3,
    method: "POST",
    path: orders,
    data: {
      owner: "$EMAIL",
      team: "team-0",
      number: "N-#",
      status: "OPEN",
      quantity: 3,
      price: "9.90",
    },
    sql: `with o as (insert into bench_traffic.orders (owner, team, number, status, quantity, price)
      select d.owner, d.team, d.number, d.status, d.quantity, d.price
      from json_to_record($1::text::json) d(owner text, team text, number text, status text, quantity integer, price numeric) returning *)
      ${row(columns, "o")}`,
  },
  {
    name: "set-quantity-silently",
    weight: 1,
    method: "PATCH",
    path: `${orders}/#`,
    headers: { Prefer: "return=minimal" },
    data: { quantity: 8 },
    sql: `with o as (update ${table} set quantity = ($2::text::json ->> 'quantity')::integer ${byKey} returning 1) select '{}' as json from o`,
  },
];
