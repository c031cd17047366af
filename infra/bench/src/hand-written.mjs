// Baselines for the service: a handwritten handler for these tables, on the same driver, with the same SQL.
//
// It has no credentials, permissions, validation or errors. With CHECKS it is its twin, which checks what the service checks,
// as a good engineer writes it: still one statement for a request, which looks up the session and its user's role and contains
// the row filter and the field list of that role; a bound of the response in bytes, 401 and 404.
import { hash } from "node:crypto";
import { createServer } from "node:http";
import postgres from "postgres";
import { itemStatements } from "./items.mjs";
import { requests } from "./traffic/requests.mjs";
import { noChecks, rightsOfRoles } from "./traffic/rights.mjs";

const bytesMax = 33_554_432;
const sql = postgres(process.env.DATABASE_URL, { max: 10, fetch_types: false });
const routes = new Map([
  ...Object.entries(itemStatements),
  ...requests.map((request) => [request.name, request.sql]),
]);

const ask = (text, parameters) => sql.unsafe(text, parameters, { prepare: true });

/** Runs the statement of a route; returns its JSON, undefined without a row. */
const answer = process.env.CHECKS === undefined ? answerUnchecked : answerChecked;

const texts = new Map();

/** Returns a text that is made once. */
function textOf(key, make) {
  const text = texts.get(key) ?? make();
  texts.set(key, text);
  return text;
}

async function answerUnchecked(name, parameters) {
  const text = textOf(name, () => {
    const made = routes.get(name)(noChecks);
    return typeof made === "string" ? made : `with ${made.write} ${made.answer}`;
  });
  const [row] = await ask(text, parameters);
  return row === undefined ? { status: 404 } : { json: row.json };
}

/** The role of each session that was seen, which decides the text of a statement. The statement checks it again. */
const roles = new Map();

async function answerChecked(name, parameters, { authorization }) {
  if (authorization?.startsWith("Bearer ") !== true) return { status: 401 };
  const digest = hash("sha256", authorization.slice(7), "buffer");
  // A changed role is looked up again.
  for (const attempt of ["known", "again"]) {
    let role = attempt === "known" ? roles.get(authorization) : undefined;
    if (role === undefined) {
      role = await roleOf(digest);
      if (role === undefined) return { status: 401 };
      roles.set(authorization, role);
    }
    const text = textOf(`${role.name} ${name}`, () => checked(name, role, parameters.length + 1));
    const [row] = await ask(text, [...parameters, digest]);
    if (row === undefined) continue;
    if (row.size === null) return { status: 404 };
    return row.json === null ? { status: 422 } : { json: row.json };
  }
  return { status: 401 };
}

/** The role with the most rights of a session's user. */
async function roleOf(digest) {
  const [role] = await ask(
    `select r.id, r.name from system.sessions s join system.role_members m on m.user_id = s.user_id
     join system.roles r on r.id = m.role_id where s.digest = $1::bytea order by r.name = 'Sellers', r.name limit 1`,
    [digest],
  );
  return role;
}

function checked(name, role, place) {
  const me = `select u.email, u.name from system.sessions s join system.users u on u.id = s.user_id
    join system.role_members m on m.user_id = u.id and m.role_id = '${role.id}'
    where s.digest = $${place}::bytea and s.expires_at > now() and u.active`;
  const bounded = `case when octet_length(r.json) <= ${bytesMax} then r.json end as json, octet_length(r.json) as size`;
  const of = (my) => routes.get(name)(rightsOfRoles(my)[role.name]);
  const read = of((column) => `me.${column}`);
  if (typeof read === "string") {
    return `select ${bounded} from (${me}) me left join lateral (${read}) r on true`;
  }
  const { write, answer } = of((column) => `(select ${column} from me)`);
  return `with me as materialized (${me}), ${write} select ${bounded} from me left join (${answer}) r on true`;
}

const server = createServer((request, response) => {
  handle(request)
    .then(({ status, json }) => {
      const body = json === undefined ? `{"error":${status}}` : `{"data":${json}}`;
      response.writeHead(status ?? (request.method === "POST" ? 201 : 200), {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
      });
      response.end(body);
    })
    .catch((error) => response.writeHead(500).end(error.message));
});

async function handle(request) {
  const { method, headers, url } = request;
  if (!url.startsWith("/traffic/")) return handleItems(request);
  const [, , name, value] = url.split("/");
  const parameters = value === "" ? [] : [value];
  if (method === "GET") return answer(name, parameters, headers);
  const body = await bodyOf(request);
  return answer(name, method === "POST" ? [body] : [value, body], headers);
}

async function handleItems(request) {
  const { method, headers, url } = request;
  if (method === "POST") {
    const { data } = JSON.parse(await bodyOf(request));
    const values = [data.owner, data.title, data.code, String(data.quantity), data.price];
    return answer("new-item", values, headers);
  }
  const [path, query] = url.split("?");
  if (query === undefined) return answer("item", [path.slice(path.lastIndexOf("/") + 1)], headers);
  const asked = new URLSearchParams(query);
  const maker = asked.get("where[maker_id][_eq]");
  if (maker !== null) return answer("items-counted", [maker], headers);
  const name = asked.has("fields") ? "items-with-maker" : "items";
  return answer(name, [asked.get("where[id][_gt]")], headers);
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
