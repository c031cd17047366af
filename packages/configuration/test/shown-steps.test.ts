// Tier: all. Plans and applies records of every kind.
import { serverVersionOf } from "@rowhouse/db";
import { createUser } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { secretsOfProviders } from "@rowhouse/workflows";
import { describe, expect, it } from "vitest";
import { type Files, type Plan, stepKinds } from "../src/index.ts";
import { openConfigurator } from "./configuration.ts";

const rootFile =
  "version: 1\nparts: [settings, types, sql, tables, views, roles, templates, providers, workflows, data-views, dashboards]\n";
const trips = `columns:
  id: { type: bigint, identity: ALWAYS }
  status: { type: shop.status, default: "'new'" }
  driver: { type: integer, nullable: false }
  note: { type: text, comment: "Free text" }
primaryKey: [id]
foreignKeys:
  by: { columns: [driver], references: { schema: shop, table: drivers, columns: [id] } }
checks:
  long: { check: "length(note) > 3", message: Longer }
exposed: [GET, PATCH]
label: Trips
`;
const workflow = `name: Nightly
enabled: true
invoke: [Clerks]
definition:
  trigger: { kind: schedule, cron: 0 3 * * *, executeAs: robot@example.com }
  steps:
    - id: first
      kind: finish
`;
const panel = (markdown: string) =>
  `panels:\n  - id: text\n    kind: TEXT\n    layout: { x: 0, y: 0, w: 12, h: 3 }\n    definition: { markdown: "${markdown}" }\n`;
const template = "<h1>{{ title }}</h1>\n<p>One</p>\n";

const drivers = (type: string) =>
  `columns:\n  id: { type: integer }\n  hours: { type: ${type} }\nprimaryKey: [id]\n`;
const short = (characters: number) =>
  `CREATE FUNCTION shop.short(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT left($1, ${characters}) $$;\n`;
const files: Files = {
  "rowhouse.yaml": rootFile,
  "settings.yaml": "data.default_limit: 7\n",
  "types/shop/status.yaml": "values: [new, done]\n",
  "sql/shop/short.sql": short(3),
  "tables/shop/drivers.yaml": drivers("integer"),
  "views/shop/hours.yaml": "{}\n",
  "views/shop/hours.sql": "select hours from shop.drivers\n",
  "views/shop/ids.yaml": "{}\n",
  "views/shop/ids.sql": "select id from shop.drivers\n",
  "tables/shop/trips.yaml": trips,
  "views/shop/done.yaml": "exposed: [GET]\n",
  "views/shop/done.sql": "select id, note\nfrom shop.trips\nwhere status = 'done'\n",
  "roles/Clerks.yaml":
    "description: Those who write\napiAccess: true\ngrants:\n  shop.trips:\n    READ: {}\n    UPDATE:\n      fields: [note]\n      filter: { driver: { _gt: 3 } }\n      check: { driver: { _gt: 4 } }\n      presets: { note: seen }\n",
  "templates/shop.receipt.de.yaml": "kind: DOCUMENT\ntitle: Beleg\nformat: HTML\n",
  "templates/shop.receipt.de.liquid": template,
  "providers/google.yaml": "kind: google\nname: Google\nclientId: 1.apps.example\n",
  "workflows/nightly.yaml": workflow,
  "data-views/Open trips.yaml":
    "resource: shop.trips\nroles: [Clerks]\nwhere: { driver: { _gt: 3 } }\n",
  "dashboards/Today.yaml": `roles: [Clerks]\n${panel("Trips")}`,
};

const { "views/shop/ids.yaml": _, "views/shop/ids.sql": ids = "", ...kept } = files;

/** Each record changed. */
const changed: Files = {
  ...kept,
  "views/shop/keys.yaml": "renamedFrom: shop.ids\n",
  "views/shop/keys.sql": ids,
  "rowhouse.yaml": `${rootFile}elsewhere: [billing.*]\n`,
  "settings.yaml": "data.default_limit: 8\n",
  "types/shop/status.yaml": "values: [new, paid, done]\n",
  "sql/shop/short.sql": short(4),
  "tables/shop/drivers.yaml": drivers("bigint"),
  "tables/shop/trips.yaml": trips.replace("label: Trips", "label: Journeys").replace("> 3", "> 4"),
  "views/shop/done.sql": "select id, note, driver\nfrom shop.trips\nwhere status = 'done'\n",
  "roles/Clerks.yaml": "apiAccess: false\ngrants:\n  shop.trips:\n    READ: { fields: [id] }\n",
  "templates/shop.receipt.de.liquid": template.replace("One", "Two"),
  "providers/google.yaml": "kind: google\nname: Google for all\nclientId: 1.apps.example\n",
  "workflows/nightly.yaml": workflow
    .replace("0 3 * * *", "30 3 * * *")
    .replace("robot@", "admin@")
    .replace("enabled: true", "enabled: false")
    .replace("[Clerks]", "[]"),
  "data-views/Open trips.yaml":
    "resource: shop.trips\nroles: [Clerks]\nwhere: { driver: { _gt: 4 } }\nlimit: 20\n",
  "dashboards/Today.yaml": `roles: [Clerks]\n${panel("Journeys")}`,
};

const vault = createVault(() => "a secret of the tests' own");
const secret = "canary-77ae";

async function open() {
  const own = await openConfigurator();
  const { database, caller } = own;
  await createUser(database, "robot@example.com", "Administrators");
  const given = { name: "AUTH_GOOGLE_SECRET", value: secret };
  await secretsOfProviders.create({ database, vault }, given, caller.actor);
  return own;
}

/** Returns what a plan shows of its steps: their statements, values and diffs. */
function shownBy({ steps }: Plan): string {
  return steps
    .flatMap(({ kind, subject, sql, changes }) => [
      `# ${kind} ${subject}`,
      ...sql,
      ...changes.map(({ field, before, after, diff }) =>
        diff === null ? `${field}: ${before} -> ${after}` : `${field}:\n${diff.trimEnd()}`,
      ),
    ])
    .join("\n");
}

describe("a plan shows what it does: ", () => {
  it("each kind of step has SQL or values, in plans that create, change and drop everything", async () => {
    const own = await open();
    // Its version is another one in each version of PostgreSQL.
    const [citext] = await own.database.query<{ version: string }>(
      "select default_version as version from pg_available_extensions where name = 'citext'",
    );
    const extension = await own.plan({
      ...files,
      "rowhouse.yaml": `${rootFile}extensions: { citext: "${citext?.version}" }\n`,
    });
    const created = await own.plan(files);
    await own.set(files);
    const altered = await own.plan(changed);
    await own.set(changed);
    const dropped = await own.plan({ "rowhouse.yaml": rootFile });
    const steps = [extension, created, altered, dropped].flatMap((plan) => plan.steps);
    const silent = steps.filter(({ sql, changes }) => sql.length + changes.length === 0);
    expect(silent.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([]);
    expect([...new Set(steps.map(({ kind }) => kind))].toSorted()).toEqual(
      [...stepKinds].toSorted(),
    );
    const whole = JSON.stringify([created, altered, dropped]);
    expect(whole).not.toContain(secret);
    // No statement that only probes or settles.
    expect(whole).not.toMatch(/pg_temp|rowhouse_|temporary|savepoint/);
    // Earlier versions of PostgreSQL qualify every column of a view.
    if ((await serverVersionOf(own.database)).major < 16) return;
    expect(shownBy(created)).toMatchSnapshot("created");
    expect(shownBy(altered)).toMatchSnapshot("changed");
    expect(shownBy(dropped)).toMatchSnapshot("dropped");
  });

  it("a grant and a DataView say why they are saved again although their terms are the same", async () => {
    const own = await open();
    const plain = {
      "rowhouse.yaml": "version: 1\nparts: [tables, roles, data-views]\n",
      "tables/shop/trips.yaml":
        "columns:\n  id: { type: integer }\n  driver: { type: integer }\nprimaryKey: [id]\nexposed: [GET]\n",
      "roles/Clerks.yaml": "grants:\n  shop.trips:\n    READ: { filter: { driver: { _gt: 3 } } }\n",
      "data-views/Trips.yaml": "resource: shop.trips\nwhere: { driver: { _gt: 3 } }\n",
    };
    await own.set(plain);
    await own.database.query("alter table shop.trips alter driver type numeric");
    const { steps } = await own.plan({
      ...plain,
      "tables/shop/trips.yaml": plain["tables/shop/trips.yaml"].replace(
        "driver: { type: integer",
        "driver: { type: numeric",
      ),
    });
    const again = "mean something else than when it was saved";
    for (const kind of ["grants.set", "data-view.update"]) {
      const step = steps.find((one) => one.kind === kind);
      expect(step?.changes).toEqual([]);
      expect(step?.notes.join(" ")).toContain(again);
    }
  });

  it("a step that cannot be tried shows what it asks for", async () => {
    const own = await open();
    await own.set({ ...files, "tables/shop/trips.yaml": trips });
    const { steps } = await own.plan({
      ...files,
      "types/shop/status.yaml": "values: [new, open, done]\n",
      "tables/shop/more.yaml":
        "columns:\n  id: { type: integer }\n  status: { type: shop.status, default: \"'open'\" }\nprimaryKey: [id]\n",
    });
    const create = steps.find(({ kind }) => kind === "table.create");
    expect(create?.notes.join()).toContain("could not try");
    expect(create?.sql).toEqual([]);
    expect(create?.changes[0]?.diff).toContain("+  default: \"'open'\"");
  });

  it("the default of a column that is only tried is no statement of the step", async () => {
    const own = await open();
    const { steps } = await own.plan({
      "rowhouse.yaml": "version: 1\nparts: [tables]\n",
      "tables/shop/trips.yaml":
        "columns:\n  id: { type: integer, default: 1 + 1, comment: Number }\n  n: { type: numeric, check: n > 1 }\nprimaryKey: [id]\n".replace(
          ", check: n > 1",
          "",
        ),
    });
    expect(steps.flatMap(({ sql }) => sql)).toEqual([
      'create schema "shop"',
      'create table "shop"."trips" (\n  "id" int default (1 + 1),\n  "n" numeric,\n  primary key ("id")\n)',
      `comment on column "shop"."trips"."id" is 'Number'`,
    ]);
  });
});

/** A text of lines. */
const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, line) => `${word} ${line}\n`).join("");

describe("a long plan", () => {
  it("shows a long text without line breaks, and every member of a long list", async () => {
    const own = await open();
    const text = "x".repeat(1_990);
    const columns = Array.from({ length: 80 }, (_, index) => `c${index}`);
    const { steps } = await own.plan({
      "rowhouse.yaml": "version: 1\nparts: [tables, roles]\n",
      "tables/shop/wide.yaml": `columns:\n${columns.map((name) => `  ${name}: { type: text }\n`).join("")}`,
      "roles/Long.yaml": `description: ${text}\ngrants:\n  shop.wide:\n    READ: { fields: [${columns.join(", ")}] }\n`,
    });
    const diffOf = (kind: string) =>
      steps.find((step) => step.kind === kind)?.changes.find(({ diff }) => diff !== null)?.diff;
    expect(diffOf("role.create")).toContain(`+${text}\n`);
    expect(diffOf("grants.set")?.match(/^\+- c\d+$/gm)).toHaveLength(80);
    expect(steps.find(({ kind }) => kind === "table.create")?.sql.join()).toContain('"c79" text');
  });

  it("shows the changed lines of long texts alone, and the whole of a new one", async () => {
    const own = await open();
    const template = {
      "rowhouse.yaml": "version: 1\nparts: [templates]\n",
      "templates/long.en.yaml": "kind: DOCUMENT\ntitle: Long\nformat: HTML\n",
    };
    const text = lines(3_000, "A line of the template");
    const first = { ...template, "templates/long.en.liquid": text };
    const created = await own.plan(first);
    const source = created.steps[0]?.changes.find(({ field }) => field === "source");
    expect(source).toMatchObject({ before: null, after: null, leftOut: 0 });
    expect(source?.diff?.match(/^\+/gm)).toHaveLength(3_000);
    await own.set(first);
    const changed = text.replace("template 2000\n", "template two thousand\n");
    const { steps } = await own.plan({ ...template, "templates/long.en.liquid": changed });
    expect(steps[0]?.changes.map(({ diff }) => diff)).toEqual([
      [
        "@@ -1998,7 +1998,7 @@",
        ...[" A line of the template 1997", " A line of the template 1998"],
        ...[" A line of the template 1999", "-A line of the template 2000"],
        ...["+A line of the template two thousand", " A line of the template 2001"],
        ...[" A line of the template 2002", " A line of the template 2003", ""],
      ].join("\n"),
    ]);
  });

  it("cuts the longest steps alone, and says what it leaves out", async () => {
    const own = await open();
    const bodies = Array.from({ length: 30 }, (_, index): [string, string][] => [
      [`templates/t${index}.en.yaml`, `kind: DOCUMENT\ntitle: T${index}\nformat: HTML\n`],
      [
        `templates/t${index}.en.liquid`,
        lines(index < 2 ? 10 : 3_000, `A line of the template ${index}`),
      ],
    ]);
    const { steps } = await own.plan({
      "rowhouse.yaml": "version: 1\nparts: [templates]\n",
      ...Object.fromEntries(bodies.flat()),
    });
    const whole = steps.flatMap(({ changes }) => changes);
    const size = JSON.stringify(whole).length;
    expect(size).toBeLessThan(2_300_000);
    const [stored] = await own.database.query<{ size: number }>(
      "select length(answer::text) as size from system.configuration_plans",
    );
    expect(stored?.size).toBeLessThan(2_400_000);
    for (const [index, { changes, moreChanges }] of steps.entries()) {
      const source = changes.find(({ field }) => field === "source");
      const shown = source?.diff?.length ?? 0;
      const isShort = /^t[01] /.test(steps[index]?.subject ?? "");
      expect(source?.leftOut === 0).toBe(isShort);
      expect(source?.diff?.endsWith("\n")).toBe(true);
      expect(shown + (source?.leftOut ?? 0)).toBeGreaterThan(isShort ? 100 : 90_000);
      expect(moreChanges).toBe(isShort ? 0 : 1);
    }
  });
});
