import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js/index-native.js";
import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import type { People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** Texts by path. */
export type Texts = Readonly<Record<string, string>>;

/** Returns a zip with files, as a browser takes it from its person. */
export async function zipOf(files: Texts, name = "configuration.zip") {
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const [path, text] of Object.entries(files)) await writer.add(path, new TextReader(text));
  const blob = await writer.close();
  return { name, mimeType: "application/zip", buffer: Buffer.from(await blob.arrayBuffer()) };
}

/** Tables as an owner has made them, without labels: a composite key, and a foreign key without `_id`. */
const warehouse = `
  create schema warehouse;
  create table warehouse.orders (id bigint generated always as identity primary key, customer text not null, placed date not null,
    amount numeric(12, 2) not null constraint orders_amount_check check (amount > 0), remark text);
  create table warehouse.lines (order_number bigint references warehouse.orders on delete cascade, line int, article text not null,
    primary key (order_number, line));
  insert into warehouse.orders (customer, placed, amount)
    select 'Customer ' || n % 40, date '2026-01-01' + n % 300, 10 + n from generate_series(1, 5000) n;
  insert into warehouse.lines select n, 1, 'Article ' || n % 90 from generate_series(1, 5000) n;
  create function warehouse.net(gross numeric) returns numeric immutable language sql return round(gross / 1.19, 2);
  create function warehouse.stale(placed date) returns boolean immutable language sql return placed < '2020-01-01';
  create view warehouse.sums as select customer, sum(amount) as total, count(*) as orders from warehouse.orders group by 1;
  create view warehouse.large_orders as select id, amount from warehouse.orders where amount > 1000;
  create view warehouse.dues as select id, placed from warehouse.orders;
  create table warehouse.readings (at date not null, value int) partition by range (at);
  create table warehouse.readings_2026 partition of warehouse.readings for values from ('2026-01-01') to ('2027-01-01')`;

interface Differing {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The screens of the configuration: before the first apply, typical and overfull. An apply would lock the records of the
 * other screens, so the answers that need one are made of the present files.
 */
export async function configurationScreens(
  service: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  await service.test.database.query(warehouse);
  const read = async () =>
    ((await service.administer("GET", "/configuration")) as { files: Texts }).files;
  /** Other screens prepare records of theirs after these files. */
  const files = await read();
  const at = (path: string) => (page: Page) =>
    openAdministration(page, administrator, `/admin/configuration${path}`);
  const imported =
    (change: (present: Texts) => Texts, from = read) =>
    async (page: Page) => {
      const zip = change(await from());
      await at("/import")(page);
      await page
        .locator("main input[type=file]")
        .setInputFiles(await zipOf(zip, "fleet of 2026.zip"));
      await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
      await page.locator("main ol, main table").first().waitFor();
    };
  const [citext] = await service.test.database.query<{ version: string }>(
    "select default_version as version from pg_catalog.pg_available_extensions where name = 'citext'",
  );
  const orders = files["tables/warehouse/orders.yaml"] ?? "";
  const typical: readonly Differing[] = [
    {
      path: "settings.yaml",
      before: files["settings.yaml"] ?? "",
      after: `${files["settings.yaml"] ?? ""}data.default_limit: 40\n`,
    },
    {
      path: "tables/warehouse/orders.yaml",
      before: orders
        .replace("columns:\n", "label: Orders\ncolumns:\n")
        .replace(/ {2}remark:[^\n]*\n(?: {4}[^\n]*\n)*/, "")
        .replace(/check: [^\n]*/, "check: amount > 50"),
      after: orders,
    },
    { path: "roles/Night shift.yaml", before: null, after: "apiAccess: true\ngrants: {}\n" },
    {
      path: "sql/warehouse/net.sql",
      before: files["sql/warehouse/net.sql"] ?? "",
      after: (files["sql/warehouse/net.sql"] ?? "").replace("1.19", "1.16"),
    },
  ];
  const overfull = Array.from({ length: 60 }, (_, number): Differing => {
    const path = `tables/${"a schema with a long name ".repeat(3)}${number}/table_${number}.yaml`;
    return {
      path,
      before: orders,
      after: number % 3 === 0 ? null : orders.replaceAll("bigint", "int"),
    };
  });
  const long = Array.from({ length: 900 }, (_, line) => `value_${line}`).join("\n");
  const drifted = (differing: readonly Differing[], show: (page: Page) => Promise<void>) =>
    withDrift(differing, administrator, show);
  return [
    { name: "configuration-none", show: at("") },
    {
      name: "configuration",
      show: drifted(typical, async (page) => {
        await at("")(page);
        await page.locator("main button[aria-expanded=false]").last().click();
      }),
    },
    { name: "configuration-same", show: drifted([], at("")) },
    {
      name: "configuration-overfull",
      show: drifted(
        [...overfull, { path: "types/fleet/long.yaml", before: "", after: long }],
        async (page) => {
          await at("")(page);
          await page.locator("main button[aria-expanded]").first().click();
          await page.locator("main button[aria-expanded]").last().click();
        },
      ),
    },
    {
      name: "configuration-set-back",
      show: drifted(typical.slice(1), async (page) => {
        await at("/set-back")(page);
        await page.locator("main ol").waitFor();
      }),
    },
    { name: "configuration-import", show: at("/import") },
    {
      name: "configuration-import-plan",
      show: imported((present) => ({
        ...without(present, "tables/warehouse/lines.yaml"),
        "tables/warehouse/invoices.yaml": "managed: elsewhere\nexposed: [GET]\n",
        "roles/Night shift.yaml":
          "apiAccess: true\ngrants:\n  warehouse.orders:\n    READ:\n      filter: { amount: { _gt: 100 } }\n",
        "tables/warehouse/orders.yaml": orders
          .replace(/ {2}remark:[^\n]*\n(?: {4}[^\n]*\n)*/, "  due: { type: date }\n")
          .replace(/check: [^\n]*/, "check: amount > 50"),
        "environments/staging.yaml": "URL: https://staging.example\n",
      })),
    },
    {
      name: "configuration-import-diffs",
      show: async (page) => {
        await imported((present) => ({
          ...changedEach(present),
          "templates/shop.receipt.en.yaml": "kind: DOCUMENT\ntitle: Receipt\nformat: HTML\n",
          "templates/shop.receipt.en.liquid": `<h1>{{ total }}</h1>\n<p>${"A long line of a template. ".repeat(12)}</p>\n`,
          "tables/warehouse/returns.yaml":
            'columns:\n  id: { type: bigint, identity: ALWAYS }\n  reason: { type: text, nullable: false }\n  amount: { type: "numeric(12, 2)", default: "0" }\nprimaryKey: [id]\n',
        }))(page);
        await unfoldSteps(page);
      },
    },
    {
      name: "configuration-import-sql",
      show: async (page) => {
        await imported((present) => withSql(present, citext?.version))(page);
        await unfoldSteps(page);
        await page.locator("main h1").evaluate((title) => title.scrollIntoView());
      },
    },
    {
      name: "configuration-import-sql-steps",
      show: async (page) => {
        await imported((present) => withSql(present, citext?.version))(page);
        await unfoldSteps(page);
        const step = page.locator("main ol > li").filter({ hasText: "sql/warehouse/net.sql" });
        await step.evaluate((element) => element.scrollIntoView());
      },
    },
    {
      name: "configuration-import-overfull",
      show: imported(
        (early) => early,
        async () => files,
      ),
    },
    {
      name: "configuration-import-faults",
      show: imported((present) => ({
        ...present,
        "tables/warehouse/orders.yaml": orders
          .replace("bigint", "bigger")
          .replace("checks:", "cheks:"),
        "roles/A.yaml": "a: &a [*a]\n\tb: 1\n",
      })),
    },
    {
      name: "configuration-import-no-zip",
      show: async (page) => {
        await at("/import")(page);
        const file = { name: "notes.zip", mimeType: "application/zip", buffer: Buffer.from("no") };
        await page.locator("main input[type=file]").setInputFiles(file);
        await page.getByRole("alert").waitFor();
      },
    },
  ];
}

async function unfoldSteps(page: Page): Promise<void> {
  const folded = page.locator("main ol button[aria-expanded=false]");
  while ((await folded.count()) > 0) await folded.first().click();
  await page.locator("main ol").evaluate((list) => list.scrollIntoView());
}

/** Changes what is kept as SQL, and views that others read, in every manner that a plan knows. */
function withSql(files: Texts, citext: string | undefined): Texts {
  const edited = (path: string, from: string | RegExp, to: string) => {
    const text = (files[path] ?? "").replace(from, to);
    if (text === files[path]) throw new Error(`${path} does not have ${from}`);
    return { [path]: text };
  };
  const { "views/warehouse/large_orders.sql": large, ...others } = files;
  const look = files["views/warehouse/large_orders.yaml"] ?? "";
  return {
    ...without(without(others, "views/warehouse/large_orders.yaml"), "sql/warehouse/stale.sql"),
    "views/warehouse/big_orders.sql": large ?? "",
    "views/warehouse/big_orders.yaml": `renamedFrom: warehouse.large_orders\n${look}`,
    ...edited(
      "rowhouse.yaml",
      /$/,
      citext === undefined ? "# No citext\n" : `extensions: { citext: "${citext}" }\n`,
    ),
    ...edited("sql/warehouse/net.sql", "1.19", "1.16"),
    ...edited("sql/warehouse/readings_2026.sql", "2027", "2028"),
    ...edited(
      "tables/warehouse/orders.yaml",
      /^(.*)type: date/s,
      "renamedFrom: warehouse.lines\n$1type: timestamp",
    ),
    ...edited("views/warehouse/sums.sql", /,[^,]*count\(\*\) AS orders/, ""),
    "sql/warehouse/next_article.sql":
      "CREATE FUNCTION warehouse.next_article() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$\n  select 'Article ' || count(*) + 1 from warehouse.lines\n$$;\nCOMMENT ON FUNCTION warehouse.next_article() IS 'The name of the next article';\n",
  };
}

/** Changes a workflow, the dashboards and a setting, wherever the other screens have put them. */
function changedEach(files: Texts): Texts {
  const changes: readonly (readonly [RegExp, (text: string) => string])[] = [
    [/^workflows\//, (text) => text.replace("Inspection", "Inspection of the day")],
    [/^dashboards\//, (text) => text.replace(/^( +w:) \d+$/m, "$1 4")],
    [/^settings\.yaml$/, (text) => `${text}data.max_limit: 900\n`],
  ];
  const changed = Object.entries(files).map(([path, text]): [string, string] => {
    const change = changes.find(([place]) => place.test(path));
    return [path, change === undefined ? text : change[1](text)];
  });
  return Object.fromEntries(changed);
}

function without(files: Texts, path: string): Texts {
  return Object.fromEntries(Object.entries(files).filter(([one]) => one !== path));
}

function kindOf({ before, after }: Differing): string {
  if (before === null) return "NOT_IN_FILES";
  return after === null ? "MISSING" : "CHANGED";
}

/** Shows a page with files that differ from the last apply. */
function withDrift(
  differing: readonly Differing[],
  session: string,
  show: (page: Page) => Promise<void>,
) {
  const { user } = JSON.parse(session) as { user: { id: string; email: string } };
  const data = {
    lastApply: {
      id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
      appliedAt: "2026-11-20T09:12:44.000Z",
      appliedBy: { id: user.id, email: user.email },
      source: {
        commit: "4f2a91c0d3b7e8f6a1c2d3e4f5a6b7c8d9e0f1a2",
        url: "https://git.example/fleet/commit/4f2a91c0",
      },
      steps: 12,
    },
    parts: ["settings", "types", "sql", "tables", "views", "roles", "templates", "workflows"],
    files: differing.map((file) => ({ ...file, kind: kindOf(file) })),
  };
  return async (page: Page) => {
    await page.route("**/admin/api/configuration/drift", (route) =>
      route.fulfill({ json: { data } }),
    );
    await show(page);
  };
}
