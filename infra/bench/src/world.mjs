// The data under load: a table of 100,000 rows, and a user with a field list and a row filter on it.
import postgres from "postgres";

export const rowCount = 100_000;
export const administrator = {
  email: "admin@example.com",
  password: "correct horse battery staple",
};
const clerk = { email: "clerk@example.com", password: "another horse battery staple" };
const fields = [
  "id",
  "owner",
  "title",
  "code",
  "quantity",
  "price",
  "maker_id",
  "tags",
  "created_at",
];

export async function loadRows(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    drop schema if exists bench cascade;
    create schema bench;
    create table bench.makers (id integer primary key, name text not null, country text not null);
    insert into bench.makers select i, 'Maker ' || i, 'Country ' || i % 20 from generate_series(1, 500) i;
    create table bench.items (
      id bigint generated always as identity primary key,
      owner text not null, title text not null, code text not null,
      quantity integer not null, price numeric(12, 2) not null,
      maker_id integer references bench.makers (id),
      tags text[] not null default '{}', created_at timestamptz not null default now()
    );
    insert into bench.items (owner, title, code, quantity, price, maker_id, tags, created_at)
    select '${clerk.email}', 'Item number ' || i, 'C-' || lpad(i::text, 8, '0'), i % 1000, i * 0.37, 1 + i % 500,
           array['tag' || i % 7, 'tag' || i % 11], timestamptz '2025-01-01' + i * interval '1 minute'
    from generate_series(1, ${rowCount}) i;
    create index on bench.items (maker_id);
    analyze bench.items;
    analyze bench.makers;`);
  await sql.end();
}

/** Sets everything up over HTTP, as an administrator would; returns the clerk's session. */
export async function createWorld(url) {
  const call = administer(url, await signIn(url, administrator));
  const [resource] = await call("GET", "/resources?search=bench.items");
  await call("PATCH", `/resources/${resource.id}`, { exposedMethods: ["GET", "POST"] });
  const [makers] = await call("GET", "/resources?search=bench.makers");
  await call("PATCH", `/resources/${makers.id}`, { exposedMethods: ["GET"] });
  const role = await call("POST", "/roles", { name: "Clerks", tokenCreation: true });
  await call("POST", "/grants", { roleId: role.id, resourceId: makers.id, action: "READ" });
  const user = await call("POST", "/users", clerk);
  await call("POST", `/roles/${role.id}/members`, { userId: user.id });
  const rowFilter = { owner: { _eq: "$USER.email" } };
  const grant = { roleId: role.id, resourceId: resource.id, rowFilter };
  await call("POST", "/grants", { ...grant, action: "READ", fields });
  await call("POST", "/grants", {
    roleId: role.id,
    resourceId: resource.id,
    action: "CREATE",
    fields: ["owner", "title", "code", "quantity", "price"],
    check: rowFilter,
  });
  const workflow = await call("POST", "/workflows", {
    slug: "bench",
    name: "One step",
    definition: {
      trigger: { kind: "webhook", access: "AUTHENTICATED" },
      steps: [{ id: "end", kind: "finish", result: { number: "{{start.data.body.number}}" } }],
    },
  });
  await call("POST", `/workflows/${workflow.id}/publish`);
  await call("POST", `/workflows/${workflow.id}/enable`);
  await call("POST", `/workflows/${workflow.id}/invoke-grants`, { roleId: role.id });
  return signIn(url, clerk);
}

/** Calls the Admin API with this session. */
export function administer(url, session) {
  return async (method, path, data) => {
    const answer = await fetch(`${url}/admin/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${session}`, "Content-Type": "application/json" },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text).data;
  };
}

/** Creates a personal access token for the user of this session. */
export async function createToken(url, session) {
  const answer = await fetch(`${url}/api/auth/tokens`, {
    method: "POST",
    headers: { Authorization: `Bearer ${session}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "bench", plane: "api" }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`Token: ${JSON.stringify(body)}`);
  return body.data.secret;
}

/** Creates objects that no request uses: 600 tables, 100 roles and 1,000 grants. */
export async function addCrowd(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    create schema crowd;
    do $$ begin
      for i in 1..600 loop
        execute format('create table crowd.%I (id int primary key, a text, b numeric, c timestamptz)', 'table_' || i);
      end loop;
    end $$;
    insert into system.roles (name) select 'Role ' || i from generate_series(1, 100) i;
    insert into system.grants (role_id, resource_id, action, all_fields, row_filter)
    select role.id, resource.id, 'READ', true, null
    from (select id, row_number() over (order by name) as n from system.roles where name like 'Role %') role
    join (select id, row_number() over (order by relation_name) as n from system.resources where schema_name = 'crowd') resource
      on resource.n <= 10 and role.n <= 100;`);
  await sql.end();
}

export async function signIn(url, credentials) {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`Sign-in: ${JSON.stringify(body)}`);
  return body.data.token;
}

/** The requests that are measured. */
export function createShapes(session) {
  const headers = { Authorization: `Bearer ${session}` };
  const json = { ...headers, "Content-Type": "application/json" };
  const items = "/api/bench/table/items";
  const row = { owner: clerk.email, title: "New item #", code: "N-#", quantity: 3, price: "12.50" };
  return [
    { name: "one row by key", method: "GET", path: `${items}/#`, headers, idMax: rowCount },
    {
      name: "list of 25",
      method: "GET",
      path: `${items}?limit=25&order_by=id&where[id][_gt]=#`,
      headers,
      idMax: rowCount - 25,
    },
    {
      name: "25 with a related row",
      method: "GET",
      path: `${items}?limit=25&order_by=id&where[id][_gt]=#&fields=id,title,price,maker.name,maker.country`,
      headers,
      idMax: rowCount - 25,
    },
    {
      name: "25 with their count",
      method: "GET",
      path: `${items}?limit=25&order_by=id&where[maker_id][_eq]=#&count=exact`,
      headers,
      idMax: 500,
    },
    {
      name: "insert",
      method: "POST",
      path: items,
      headers: json,
      body: JSON.stringify({ data: row }),
      idMax: rowCount,
    },
    {
      name: "synchronous webhook run",
      method: "POST",
      path: "/api/workflows/bench/webhook",
      headers: json,
      body: '{"number":#}',
      idMax: rowCount,
      onlyService: true,
    },
  ];
}
