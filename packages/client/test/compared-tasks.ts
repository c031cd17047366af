import { createClient, RowhouseError, ref } from "../src/index.ts";

// The tasks of docs/clients-compared.md with @rowhouse/client. A test runs them with the sample.

export type Given = {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly file: File;
};

export async function run({ url, email, password, file }: Given) {
  const client = createClient({ url });
  const vehicles = client.from("fleet.vehicles");
  const vehicle = { plate: "AB-123-CD", make: "Ford", model: "Transit", built: 2020, price: 17500 };

  // task: sign in
  await client.auth.signIn({ email, password });
  // end

  // task: list with a related row, a filter, an order and the number of all rows
  const page = await vehicles.list({
    fields: ["plate", "price", "driver.name"],
    where: { make: { _in: ["Volvo", "Ford"] } },
    orderBy: "-price",
    limit: 20,
    count: "exact",
  });
  // end

  // task: read all rows in pages
  const all: unknown[] = [];
  for await (const row of await vehicles.list({ fields: ["id", "plate"], limit: 1000 })) {
    all.push(row);
  }
  // end

  // task: show the error of a form at its field
  const failure = await vehicles
    .create({ ...vehicle, plate: "nonsense" })
    .catch((error: unknown) => error);
  const field = failure instanceof RowhouseError ? failure.faults[0]?.path : undefined;
  // end

  // task: change a row unless somebody else has changed it
  const { etag: ifMatch } = await vehicles.get(5);
  const { etag } = await vehicles.update(5, { odometer_km: 39800 }, { ifMatch });
  // end

  // task: create or update rows by a unique key
  await vehicles.upsert([vehicle], { onConflict: ["plate"] });
  // end

  // task: write to two tables in one transaction
  const service = client.from("fleet.maintenance").writes;
  await client.batch([
    service.create({ vehicle_id: 5, kind: "Wash", performed_on: "2026-02-01", cost: 20 }),
    service.update(ref(0, "id"), { cost: 25 }),
    vehicles.writes.update(5, { odometer_km: 39900 }),
  ]);
  // end

  // task: upload a file and show it for a minute
  const { id } = await client.files.upload(file).result;
  const { url: source } = await client.files.link(id, { lifetimeSeconds: 60 });
  // end

  // task: sums by month of the person's time zone
  const months = await client.from("fleet.trips").aggregate({
    aggregate: ["sum(distance_km)"],
    groupBy: ["date_trunc(month,started_at)"],
    labels: "local",
  });
  // end

  // task: create a row once on a network that loses answers
  const row = { vehicle_id: 5, kind: "Wash", performed_on: "2026-02-02", cost: 20 };
  await client.from("fleet.maintenance").create(row);
  // end

  // task: see what changes while the page is open
  const polled = await vehicles.list({ limit: 20, ifNoneMatch: null });
  const again = await vehicles.list({ limit: 20, ifNoneMatch: polled.etag });
  // end

  return { all, again, etag, field, months, page, source };
}
