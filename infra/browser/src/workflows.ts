import type { BrowserService } from "./service.ts";

type Named = { readonly id: string };

/** Creates, publishes and enables a workflow; returns its id. */
export async function createWorkflow(
  { administer }: BrowserService,
  slug: string,
  name: string,
  definition: object,
): Promise<string> {
  const { id } = (await administer("POST", "/workflows", { slug, name, definition })) as Named;
  await administer("POST", `/workflows/${id}/publish`);
  await administer("POST", `/workflows/${id}/enable`);
  return id;
}

/** Calls a webhook, and returns the id of its run once it has ended. */
export async function callWebhook(
  { url }: BrowserService,
  slug: string,
  body: unknown,
): Promise<string> {
  const answer = await fetch(`${url}/api/workflows/${slug}/webhook`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const { data } = (await answer.json()) as { readonly data: Named };
  return data.id;
}

/** The id of the first administrator. */
export async function administratorId({ administer }: BrowserService): Promise<string> {
  const users = (await administer("GET", "/users?limit=1000")) as (Named & {
    readonly roles: readonly { readonly name: string }[];
  })[];
  const found = users.find(({ roles }) => roles.some(({ name }) => name === "Administrators"));
  if (found === undefined) throw new Error("There is no administrator");
  return found.id;
}

/** A workflow with runs of every kind, one without runs, and many others, some with long names. */
export async function prepareWorkflows(service: BrowserService) {
  const executeAs = await administratorId(service);
  const trigger = { kind: "webhook", access: "PUBLIC", executeAs };
  const { database } = service.test;
  await database.query(`
    create table fleet.maintenance (id bigint generated always as identity primary key,
      vehicle_id int not null references fleet.vehicles, kind text not null, cost numeric(8, 2) not null,
      performed_on date not null, constraint cheap_visit check (cost < 500));
    comment on constraint cheap_visit on fleet.maintenance is 'A visit costs less than 500';
    insert into fleet.vehicles (id, plate) values (2, 'GO-102-WK');
  `);
  const [table] = (await service.administer(
    "GET",
    "/resources?schema=fleet&search=maintenance",
  )) as Named[];
  await service.administer("PATCH", `/resources/${table?.id}`, {
    exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
  });
  const report = await createWorkflow(service, "report-trip", "Report a trip", {
    trigger,
    steps: [
      {
        ...{ id: "vehicle", kind: "listRows", schema: "fleet", table: "vehicles" },
        where: { plate: { _eq: "{{start.data.body.plate}}" } },
      },
      {
        ...{ id: "known", kind: "condition", expression: "size(steps.vehicle) == 1" },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [
          {
            ...{ id: "each", kind: "forEach", items: "{{start.data.body.legs}}" },
            steps: [
              {
                ...{ id: "leg", kind: "createRow", schema: "fleet", table: "maintenance" },
                values: {
                  ...{ vehicle_id: "{{steps.vehicle.0.id}}", kind: "Leg {{index}}" },
                  ...{ cost: "{{item}}", performed_on: "2026-01-31" },
                },
                onError: "continue",
              },
            ],
          },
          {
            ...{ id: "row", kind: "createRow", schema: "fleet", table: "maintenance" },
            values: {
              ...{ vehicle_id: "{{steps.vehicle.0.id}}", kind: "Inspection" },
              ...{ cost: "{{start.data.body.cost}}", performed_on: "2026-01-31" },
            },
          },
        ],
        else: [],
      },
      { id: "end", kind: "finish", result: { visit: "{{steps.row.id ?? null}}" } },
    ],
  });
  const legs = Array.from({ length: 40 }, (_, index) => (index % 20 === 7 ? 900 : index + 1));
  const good = await callWebhook(service, "report-trip", { plate: "GO-102-WK", cost: 99.5, legs });
  const failed = await callWebhook(service, "report-trip", {
    ...{ plate: "GO-102-WK", cost: 899.5, legs },
  });
  const unknown = await callWebhook(service, "report-trip", { plate: "no such plate" });
  const idle = await createWorkflow(service, "nightly", "Nightly report", {
    trigger: { kind: "schedule", cron: "0 3 * * *", timeZone: "Europe/Oslo", executeAs },
    steps: [{ id: "end", kind: "finish", result: null }],
  });
  const long = "Donaudampfschifffahrtsgesellschaft ".repeat(3).trim();
  await createWorkflow(service, "a".repeat(63), long, {
    trigger: { kind: "databaseEvent", schema: "fleet", table: "trips", on: ["insert"], executeAs },
    steps: [{ id: "end", kind: "finish", result: null }],
  });
  await service.administer("POST", "/workflows", {
    slug: "draft",
    name: "تقرير الرحلة",
    definition: {
      trigger: { kind: "manual", executeAs },
      steps: [{ id: "end", kind: "finish", result: null }],
    },
  });
  const large = await createWorkflow(service, "large", long, {
    trigger,
    steps: [
      {
        ...{ id: "each", kind: "forEach", items: "{{start.data.body.items}}" },
        steps: [{ id: "value", kind: "setValues", values: { text: "{{item}}" } }],
      },
      { id: "end", kind: "finish", result: "{{start.data.body}}" },
    ],
  });
  const items = Array.from({ length: 2000 }, (_, index) => `${index} ${"wide".repeat(index % 90)}`);
  const run = await callWebhook(service, "large", { items, مفتاح: "<img src=x onerror=alert(1)>" });
  await prepareSecrets(service, executeAs);
  return { report, idle, good, failed, unknown, large: { workflow: large, run } };
}

/** Secrets with and without a workflow that uses them, and with long texts. */
async function prepareSecrets(service: BrowserService, executeAs: string): Promise<void> {
  const secrets = [
    { name: "CRM_KEY", description: "Key of the CRM, renewed each January" },
    { name: "GITHUB_KEY", description: "" },
    { name: "A".repeat(63), description: "Ein sehr langer Hinweis ".repeat(20) },
    { name: "HOOK_KEY", description: "مفتاح الخطاف" },
  ];
  for (const secret of secrets) {
    await service.administer("POST", "/workflow-secrets", { ...secret, value: "k-0123456789" });
  }
  await createWorkflow(service, "ask-the-crm", "Ask the CRM", {
    trigger: {
      ...{ kind: "webhook", access: "AUTHENTICATED", executeAs },
      signature: { kind: "GITHUB", secrets: ["GITHUB_KEY"] },
    },
    steps: [
      {
        ...{ id: "ask", kind: "httpRequest", url: "https://crm.example.com/contacts" },
        auth: { kind: "bearer", token: "{{secrets.CRM_KEY}}" },
        retry: { attempts: 3 },
      },
      { id: "end", kind: "finish", result: "{{steps.ask.body.name}}" },
    ],
  });
}
