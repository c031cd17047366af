import type { Page } from "playwright-core";
import { enter, enterAs } from "./people.ts";
import type { BrowserService } from "./service.ts";

/** What a limited person must not find anywhere. */
export const boardCanaries = ["CANARY", "purchase_price", "66666.66"] as const;

/** Texts that attack a page that shows them. */
const hostile = [
  "<img src=x onerror=alert(1)>",
  "javascript:alert(1)",
  "gpj.\u202eexe",
  '=HYPERLINK("http://x")',
  `${"<b>long</b>".repeat(400)}`,
] as const;

/** Dashboards and the people who open them. */
export interface Boards {
  /** Ids of dashboards: one of every kind of panel, one without panels, one that attacks the page, one of many panels. */
  readonly fleet: string;
  readonly empty: string;
  readonly hostile: string;
  readonly overfull: string;
  /** May read everything. */
  readonly session: string;
  /** May read the trips of one depot, and no price. */
  readonly limited: string;
}

type Record = { readonly id: string; readonly name: string };

/** Creates the tables, the dashboards and the people. */
export async function prepareBoards(service: BrowserService): Promise<Boards> {
  await service.test.database.query(`
    create schema freight;
    create type freight.status as enum ('AVAILABLE', 'ON_TRIP', 'WORKSHOP');
    create table freight.vehicles (
      id int primary key, plate text not null, make text, status freight.status not null, depot text not null,
      purchase_price numeric(20, 2)
    );
    create table freight.trips (
      id int primary key, vehicle_id int not null references freight.vehicles, destination text,
      started_at timestamptz not null, distance_km numeric(12, 1)
    );
    create table freight.notes (id int primary key, label text not null, amount int not null);
    insert into freight.vehicles
      select n, 'AB-' || (100 + n) || '-CD', (array['Volvo', 'Ford', 'Renault', null])[1 + n % 4],
        (array['AVAILABLE', 'ON_TRIP', 'WORKSHOP'])[1 + n % 3]::freight.status,
        case when n % 5 = 0 then 'CANARY depot' else 'North' end, 10000 + n * 1234.5
      from generate_series(1, 40) n;
    update freight.vehicles set purchase_price = 66666.66, make = 'CANARY make' where id = 5;
    insert into freight.trips
      select n, 1 + n % 40, (array['Oslo', 'Bergen', 'Lund'])[1 + n % 3],
        timestamptz '2026-01-05 08:00:00+01' + n * interval '11 hours', 10 + n % 90
      from generate_series(1, 240) n;
  `);
  for (const [index, text] of hostile.entries()) {
    await service.test.database.query("insert into freight.notes values ($1, $2, $3)", [
      ...[String(index), text, String(index + 1)],
    ]);
  }
  const resources = (await service.administer(
    "GET",
    "/resources?schema=freight",
  )) as readonly Record[];
  const idOf = (name: string) => resources.find((one) => one.name === name)?.id ?? "";
  for (const { id } of resources) {
    await service.administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET", "PATCH"] });
  }
  const status = {
    label: "Status",
    colors: [
      { value: "AVAILABLE", color: "green" },
      { value: "ON_TRIP", color: "blue" },
      { value: "WORKSHOP", color: "amber" },
    ],
  };
  await service.administer("PATCH", `/resources/${idOf("vehicles")}/columns/purchase_price`, {
    label: "Price",
    format: { type: "currency", currency: "EUR" },
  });
  await service.administer("PATCH", `/resources/${idOf("vehicles")}/columns/status`, status);
  const role = async (name: string) =>
    ((await service.administer("POST", "/roles", { name })) as Record).id;
  const [all, some] = [await role("Dispatch"), await role("North dispatch")];
  const grant = (roleId: string, table: string, more: object) =>
    service.administer("POST", "/grants", {
      ...{ roleId, resourceId: idOf(table), action: "READ", fields: null, ...more },
    });
  for (const { name } of resources) await grant(all, name, {});
  await grant(some, "vehicles", {
    fields: ["id", "plate", "make", "status"],
    rowFilter: { depot: { _eq: "North" } },
  });
  await grant(some, "trips", { rowFilter: { vehicle: { depot: { _eq: "North" } } } });
  const create = async (name: string, more: object) =>
    (
      (await service.administer("POST", "/dashboards", {
        ...{ name, roleIds: [all, some], ...more },
      })) as Record
    ).id;
  const boards = dashboardsOf(idOf);
  return {
    fleet: await create("Fleet today", boards.fleet),
    empty: await create("Nothing yet", { panels: [] }),
    hostile: await create("<script>alert(1)</script> صورة.png", boards.hostile),
    overfull: await create("A dashboard with many panels ".repeat(3).trim(), boards.overfull),
    session: await enter(service, "dis@example.com", "Dis Patch", all),
    limited: await enter(service, "nord@example.com", "Nord", some),
  };
}

function dashboardsOf(idOf: (table: string) => string) {
  const [vehicles, trips, notes] = [idOf("vehicles"), idOf("trips"), idOf("notes")];
  const period = { parameter: "period", field: "started_at" };
  const fleet = {
    description: "What moves, what stands, and what it costs.",
    parameters: [
      { name: "period", label: "Period", kind: "PERIOD" },
      { name: "make", label: "Make", kind: "VALUE", resourceId: vehicles, field: "make" },
      {
        ...{ name: "status", label: "Status", kind: "VALUE", multiple: true },
        ...{ resourceId: vehicles, field: "status" },
      },
    ],
    panels: [
      {
        ...{ id: "trips", title: "Trips", kind: "FIGURE", resourceId: trips },
        layout: { x: 0, y: 0, w: 3, h: 3 },
        bindings: [period],
        definition: {
          ...{ aggregate: ["count"], comparison: true, sparkline: true },
          time: { field: "started_at", unit: "week" },
        },
        presentation: { version: 1, goodWhen: "UP" },
      },
      {
        ...{ id: "value", title: "Value", kind: "FIGURE", resourceId: vehicles },
        layout: { x: 3, y: 0, w: 3, h: 3 },
        bindings: [{ parameter: "make", field: "make" }],
        definition: { aggregate: ["sum(purchase_price)"] },
      },
      {
        ...{ id: "about", title: "About", kind: "TEXT" },
        layout: { x: 6, y: 0, w: 6, h: 3 },
        definition: {
          markdown: "Figures of **this** week. See [the handbook](https://example.com/handbook).",
        },
      },
      {
        ...{ id: "months", title: "Trips by month", kind: "CHART", resourceId: trips },
        layout: { x: 0, y: 3, w: 7, h: 6 },
        bindings: [period],
        definition: {
          ...{ aggregate: ["count"], groupBy: ["date_trunc(month,started_at)", "destination"] },
        },
        presentation: { version: 1, chart: "stacked" },
      },
      {
        ...{ id: "states", title: "Vehicles by status", kind: "CHART", resourceId: vehicles },
        layout: { x: 7, y: 3, w: 5, h: 6 },
        bindings: [
          { parameter: "make", field: "make" },
          { parameter: "status", field: "status" },
        ],
        definition: { aggregate: ["count"], groupBy: ["status"] },
        presentation: { version: 1, chart: "donut" },
      },
      {
        ...{ id: "days", title: "Distance a day", kind: "CHART", resourceId: trips },
        layout: { x: 0, y: 9, w: 7, h: 6 },
        bindings: [period],
        definition: {
          ...{ aggregate: ["sum(distance_km)"], groupBy: ["date_trunc(day,started_at)"] },
        },
        presentation: { version: 1, chart: "line" },
      },
      {
        ...{ id: "makes", title: "Price by make", kind: "CHART", resourceId: vehicles },
        layout: { x: 7, y: 9, w: 5, h: 6 },
        definition: {
          ...{ aggregate: ["sum(purchase_price)"], groupBy: ["make"] },
          orderBy: ["-sum_purchase_price"],
        },
        presentation: { version: 1, chart: "bar", horizontal: true },
      },
      {
        ...{ id: "pivot", title: "Status by make", kind: "PIVOT", resourceId: vehicles },
        layout: { x: 0, y: 15, w: 6, h: 6 },
        definition: { aggregate: ["count"], rows: ["make"], columns: ["status"] },
        presentation: { version: 1, totals: true },
      },
      {
        ...{ id: "list", title: "Vehicles", kind: "LIST", resourceId: vehicles },
        layout: { x: 6, y: 15, w: 6, h: 6 },
        definition: {
          ...{ fields: ["plate", "make", "status", "purchase_price"], orderBy: ["plate"] },
          limit: 30,
        },
      },
    ],
  };
  const notesChart = (id: string, chart: string) => ({
    ...{ id, title: hostile[0], kind: "CHART", resourceId: notes },
    definition: { aggregate: ["sum(amount)"], groupBy: ["label"] },
    presentation: { version: 1, chart },
  });
  return {
    fleet,
    hostile: {
      description: "x".repeat(600),
      parameters: [
        {
          ...{ name: "label", label: hostile[0], kind: "VALUE", multiple: true },
          ...{ resourceId: notes, field: "label", default: [hostile[0], hostile[1]] },
        },
      ],
      panels: [
        ...[notesChart("bars", "bar"), notesChart("donut", "donut")],
        {
          ...{ id: "table", title: hostile[2], kind: "PIVOT", resourceId: notes },
          definition: { aggregate: ["sum(amount)"], rows: ["label"] },
        },
        {
          ...{ id: "text", title: "Text", kind: "TEXT" },
          definition: {
            markdown: [
              "<script>alert(1)</script><img src=x onerror=alert(1)>",
              "[bad](javascript:alert(1)) [data](data:text/html,x) [good](https://example.com/)",
              "![pixel](https://evil.example/pixel.png)",
            ].join("\n\n"),
          },
        },
      ],
    },
    overfull: {
      panels: Array.from({ length: 40 }, (_, index) => ({
        ...{ id: `p${index}`, title: `Panel ${index} with a long title that has no end`.repeat(2) },
        ...{ kind: "CHART", resourceId: trips },
        layout: { x: (index % 3) * 4, y: Math.floor(index / 3) * 4, w: 4, h: 4 },
        definition: {
          ...{ aggregate: ["count"], groupBy: ["date_trunc(day,started_at)", "destination"] },
        },
        presentation: { version: 1, chart: (["line", "area", "stacked"] as const)[index % 3] },
      })),
    },
  };
}

/** Opens a dashboard as a person, and waits for the content of its panels. */
export async function openBoard(
  page: Page,
  session: string,
  id: string,
  query = "",
): Promise<void> {
  await enterAs(page, session, `/app/dashboards/${id}${query}`);
  await boardIsRead(page);
}

/** Waits until every panel of the open dashboard has its content. */
export async function boardIsRead(page: Page): Promise<void> {
  await page.locator("h1").waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector("main article, main p") !== null &&
      document.querySelector("main [aria-busy=true], [data-chart]:not(:has(svg))") === null,
  );
}
