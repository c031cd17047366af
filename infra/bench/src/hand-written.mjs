// Baseline for the service: a handwritten handler for this one table, on the same driver, with the same SQL, without
// credentials, permissions, validation or errors.
import { createServer } from "node:http";
import postgres from "postgres";
import { requests } from "./traffic/requests.mjs";

const sql = postgres(process.env.DATABASE_URL, { max: 10, fetch_types: false });
const columns =
  "i.id::text as id, i.owner, i.title, i.code, i.quantity, i.price::text as price, i.tags, i.created_at";
const one = `select row_to_json(r)::text as json from (select ${columns} from bench.items i where i.id = $1::bigint) r`;
const list = `select coalesce(json_agg(r), '[]')::text as json from (select ${columns} from bench.items i where i.id > $1::bigint order by i.id limit 25) r`;
const joined = `select coalesce(json_agg(r), '[]')::text as json from (
  select i.id::text as id, i.title, i.price::text as price, json_build_object('name', m.name, 'country', m.country) as maker
  from bench.items i left join bench.makers m on m.id = i.maker_id where i.id > $1::bigint order by i.id limit 25) r`;
const insert = `with i as (insert into bench.items (owner, title, code, quantity, price) values ($1, $2, $3, $4::integer, $5::numeric) returning *)
  select row_to_json(r)::text as json from (select ${columns} from i) r`;

// The requests of the mixed load, a route for each.
const traffic = new Map(requests.map(({ name, sql }) => [name, sql]));

const ask = async (text, parameters) =>
  (await sql.unsafe(text, parameters, { prepare: true }))[0]?.json;

const server = createServer((request, answer) => {
  handle(request)
    .then((json) => {
      const body = `{"data":${json}}`;
      answer.writeHead(json === undefined ? 404 : request.method === "POST" ? 201 : 200, {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
      });
      answer.end(body);
    })
    .catch(() => answer.writeHead(500).end());
});

async function handle(request) {
  if (request.url.startsWith("/traffic/")) return handleTraffic(request);
  if (request.method === "POST") {
    const { data } = JSON.parse(await textOf(request));
    return ask(insert, [data.owner, data.title, data.code, String(data.quantity), data.price]);
  }
  const [path, query] = request.url.split("?");
  if (query === undefined) return ask(one, [path.slice(path.lastIndexOf("/") + 1)]);
  const parameters = new URLSearchParams(query);
  return ask(parameters.has("fields") ? joined : list, [parameters.get("where[id][_gt]")]);
}

async function handleTraffic(request) {
  const [, , name, value] = request.url.split("/");
  const text = traffic.get(name);
  if (request.method === "GET") return ask(text, value === "" ? [] : [value]);
  const body = await textOf(request);
  return ask(text, request.method === "POST" ? [body] : [value, body]);
}

async function textOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
