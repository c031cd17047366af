import { createClient, type PostgrestError } from "@supabase/supabase-js";

// The tasks of docs/clients-compared.md with supabase-js, without generated types.

declare const url: string;
declare const key: string;
declare const email: string;
declare const password: string;
declare const file: File;
declare const vehicle: { readonly plate: string; readonly make: string; readonly price: number };

const supabase = createClient(url, key);
const fleet = supabase.schema("fleet");

// task: sign in
const signedIn = await supabase.auth.signInWithPassword({ email, password });
if (signedIn.error) throw signedIn.error;
// end

// task: list with a related row, a filter, an order and the number of all rows
const { data: page, count } = await fleet
  .from("vehicles")
  .select("plate, price, driver:drivers(name)", { count: "exact" })
  .in("make", ["Volvo", "Ford"])
  .order("price", { ascending: false })
  .limit(20)
  .throwOnError();
// end

// task: read all rows in pages
const all: { id: number; plate: string }[] = [];
for (let isLast = false; !isLast; ) {
  const { data } = await fleet
    .from("vehicles")
    .select("id, plate")
    .order("id")
    .range(all.length, all.length + 999)
    .throwOnError();
  all.push(...data);
  isLast = data.length < 1000;
}
// end

// task: show the error of a form at its field
const fieldOfConstraint: Record<string, string> = {
  vehicles_plate_check: "plate",
  vehicles_plate_key: "plate",
  vehicles_driver_id_fkey: "driver_id",
};
const fieldOf = ({ message }: PostgrestError) =>
  fieldOfConstraint[/constraint "([^"]+)"/.exec(message)?.[1] ?? ""];
const { error } = await fleet.from("vehicles").insert({ ...vehicle, plate: "nonsense" });
const field = error && fieldOf(error);
// end

// task: change a row unless somebody else has changed it
const { data: before } = await fleet
  .from("vehicles")
  .select("*")
  .eq("id", 5)
  .single()
  .throwOnError();
const { data: changed } = await fleet
  .from("vehicles")
  .update({ odometer_km: 39800 })
  .eq("id", 5)
  .eq("updated_at", before.updated_at)
  .select()
  .maybeSingle()
  .throwOnError();
if (changed === null) throw new Error("Somebody else has changed the vehicle");
// end

// task: create or update rows by a unique key
await fleet.from("vehicles").upsert([vehicle], { onConflict: "plate" }).throwOnError();
// end

// task: write to two tables in one transaction
await supabase
  .rpc("record_service", { vehicle: 5, kind: "Wash", cost: 20, odometer_km: 39900 })
  .throwOnError();
// end

// task: upload a file and show it for a minute
const stored = await supabase.storage.from("photos").upload(`${crypto.randomUUID()}.png`, file);
if (stored.error) throw stored.error;
const link = await supabase.storage.from("photos").createSignedUrl(stored.data.path, 60);
if (link.error) throw link.error;
const source = link.data.signedUrl;
// end

// task: sums by month of the person's time zone
const { data: months } = await fleet
  .rpc("distance_by_month", { zone: "Europe/Oslo" })
  .throwOnError();
// end

// task: create a row once on a network that loses answers
const row = { id: crypto.randomUUID(), vehicle_id: 5, kind: "Wash" };
for (let attempt = 1; ; attempt += 1) {
  const { error: lost } = await fleet
    .from("maintenance")
    .upsert(row, { onConflict: "id", ignoreDuplicates: true });
  if (!lost) break;
  if (attempt === 3) throw lost;
  await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
}
// end

// task: see what changes while the page is open
supabase
  .channel("vehicles")
  .on("postgres_changes", { event: "*", schema: "fleet", table: "vehicles" }, (change) =>
    console.log(change.new),
  )
  .subscribe();

// end

export { count, field, months, page, source };
