import {
  aggregate,
  authentication,
  createDirectus,
  createItem,
  createItems,
  readItem,
  readItems,
  realtime,
  rest,
  updateItem,
  uploadFiles,
} from "@directus/sdk";

// The tasks of docs/clients-compared.md with the Directus SDK, without a schema.

declare const url: string;
declare const email: string;
declare const password: string;
declare const file: File;
declare const vehicle: { readonly plate: string; readonly make: string; readonly price: number };

/** The body of a refusal, for which the package exports no type. */
type Failure = {
  readonly errors?: readonly {
    readonly extensions: { readonly code: string; readonly field?: string };
  }[];
};

// biome-ignore lint/suspicious/noExplicitAny: rows without a schema
const directus = createDirectus<any>(url).with(authentication()).with(rest()).with(realtime());

// task: sign in
await directus.login(email, password);
// end

// task: list with a related row, a filter, an order and the number of all rows
const query = { filter: { make: { _in: ["Volvo", "Ford"] } } };
const page = await directus.request(
  readItems("vehicles", {
    ...query,
    fields: ["plate", "price", "driver.name"],
    sort: ["-price"],
    limit: 20,
  }),
);
const [counted] = await directus.request(
  aggregate("vehicles", { query, aggregate: { count: "*" } }),
);
const count = Number(counted?.count);
// end

// task: read all rows in pages
const all = [];
for (let number = 1, isLast = false; !isLast; number += 1) {
  const rows = await directus.request(
    readItems("vehicles", { fields: ["id", "plate"], sort: ["id"], limit: 1000, page: number }),
  );
  all.push(...rows);
  isLast = rows.length < 1000;
}
// end

// task: show the error of a form at its field
const failure = await directus
  .request(createItem("vehicles", { ...vehicle, plate: "nonsense" }))
  .catch((error: Failure) => error);
const [fault] = failure.errors ?? [];
const field = fault?.extensions.field;
// end

// task: change a row unless somebody else has changed it
const before = await directus.request(readItem("vehicles", 5));
const now = await directus.request(readItem("vehicles", 5, { fields: ["date_updated"] }));
// Another change can still come between this read and the next line.
if (now.date_updated !== before.date_updated) throw new Error("Somebody else has changed it");
await directus.request(updateItem("vehicles", 5, { odometer_km: 39800 }));
// end

// task: create or update rows by a unique key
for (const row of [vehicle]) {
  const [found] = await directus.request(
    readItems("vehicles", { fields: ["id"], filter: { plate: { _eq: row.plate } }, limit: 1 }),
  );
  if (found === undefined) await directus.request(createItem("vehicles", row));
  else await directus.request(updateItem("vehicles", found.id, row));
}
// end

// task: write to two tables in one transaction
await directus.request(
  updateItem("vehicles", 5, {
    odometer_km: 39900,
    maintenance: { create: [{ kind: "Wash", cost: 20 }], update: [], delete: [] },
  }),
);
// end

// task: upload a file and show it for a minute
const form = new FormData();
form.append("file", file);
const stored = await directus.request(uploadFiles(form));
// The token of the person stands in the address; it opens everything that the person may read.
const source = `${url}/assets/${stored.id}?access_token=${await directus.getToken()}`;
// end

// task: sums by month of the person's time zone
const months = await directus.request(
  aggregate("trips", {
    aggregate: { sum: "distance_km" },
    groupBy: ["year(started_at)", "month(started_at)"],
  }),
);
// end

// task: create a row once on a network that loses answers
const row = { id: crypto.randomUUID(), vehicle_id: 5, kind: "Wash" };
for (let attempt = 1; ; attempt += 1) {
  try {
    await directus.request(createItems("maintenance", [row]));
    break;
  } catch (error) {
    const codes = ((error as Failure).errors ?? []).map(({ extensions }) => extensions.code);
    if (codes.includes("RECORD_NOT_UNIQUE")) break;
    if (attempt === 3 || codes.length > 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
  }
}
// end

// task: see what changes while the page is open
const { subscription } = await directus.subscribe("vehicles", { event: "update" });
for await (const message of subscription) console.log(message);

// end

export { count, field, months, page, source };
