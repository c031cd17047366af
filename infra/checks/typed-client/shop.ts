import createClient from "openapi-fetch";
import type { paths as AdminPaths } from "./admin.js";
import type { components, paths as DataPaths } from "./data.js";
import type { paths as OwnPaths } from "./own.js";

// A program of a user, with the types of the documents. `@ts-expect-error` marks lines that must not compile.

const [baseUrl = "", adminSecret = "", email = "", password = ""] = process.argv.slice(2);
/** Lists are `a,b,c` here. */
const querySerializer = { array: { style: "form", explode: false } } as const;
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

const open = createClient<OwnPaths>({ baseUrl });
const signedIn = await open.POST("/api/auth/login", { body: { email, password } });
if (signedIn.error !== undefined) throw new Error(signedIn.error.errors[0]?.code);
const headers = bearer(signedIn.data.data.token);
const shop = createClient<DataPaths>({ baseUrl, headers, querySerializer });
const admin = createClient<AdminPaths>({ baseUrl, headers: bearer(adminSecret) });

type Filter = components["schemas"]["public.customer.Filter"];
const where: Filter = {
  country: { _eq: "Canada" },
  _or: [{ first_name: { _istarts_with: "m" } }, { support_rep: { last_name: { _eq: "Peacock" } } }],
};
const customers = await shop.GET("/api/public/table/customer", {
  params: {
    query: {
      where: JSON.stringify(where),
      fields: ["customer_id", "first_name", "invoice.total"],
      order_by: ["-first_name"],
      limit: 2,
      count: "exact",
    },
  },
});
if (customers.error !== undefined) throw new Error(JSON.stringify(customers.error));
const names: (string | undefined)[] = customers.data.data.map((row) => row.first_name);
// With numbers or a cursor, an object is in the place of the list.
const invoices = customers.data.data[0]?.invoice;
const totals = Array.isArray(invoices)
  ? invoices.map((row) => row.total satisfies string | undefined)
  : [];
// @ts-expect-error: a field that the role may not read
customers.data.data[0]?.phone;

const created = await shop.POST("/api/public/table/customer", {
  params: { header: { "Idempotency-Key": "one" } },
  body: { data: { first_name: "Ada", last_name: "Quill", email: "ada@example.com" } },
});
if (created.error !== undefined) throw new Error(JSON.stringify(created.error));
const customer = [created.data?.data ?? []].flat()[0];
if (customer === undefined || !("first_name" in customer)) throw new Error("no row");
const id = customer.customer_id;
({
  first_name: "A",
  last_name: "B",
  email: "c@example.com",
  // @ts-expect-error: a preset of the role
  country: "USA",
}) satisfies components["schemas"]["public.customer.New"];

const path = { id } as const;
const read = await shop.GET("/api/public/table/customer/{id}", { params: { path } });
const tag = read.response.headers.get("etag") ?? "";
const change = (lastName: string) =>
  shop.PATCH("/api/public/table/customer/{id}", {
    params: { path, header: { "If-Match": tag } },
    body: { data: { last_name: lastName } },
  });
const changed = await change("Feather");
const stale = await change("Nib");

const entry = await shop.GET("/api/public/table/playlist_track/{id}", {
  params: { path: { id: [1, 3402] }, query: { fields: ["playlist.name", "track.name"] } },
});
const missing = await shop.GET("/api/public/table/artist/{id}", {
  params: { path: { id: 999999 } },
});
const code = missing.error?.errors[0]?.code;

const roles = await admin.GET("/admin/api/roles", { params: { query: { search: "Canada" } } });
const made = await admin.POST("/admin/api/roles", {
  body: { data: { name: "Made by a program" } },
});
const twice = await admin.POST("/admin/api/roles", {
  body: { data: { name: "Made by a program" } },
});

console.log(
  JSON.stringify({
    names,
    count: customers.data.meta?.count,
    totals: totals.slice(0, 2),
    created: [customer.first_name, customer.country],
    changed: changed.response.status,
    stale: stale.error?.errors[0]?.code,
    entry: entry.data?.data,
    missing: code,
    roles: roles.data?.data.map((role) => role.name),
    made: made.data?.data.name,
    twice: twice.error?.errors[0]?.code,
  }),
);
