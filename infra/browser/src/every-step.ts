/** A definition with a step of every kind, each with most of its fields. */
export function everyStep(executeAs: string) {
  const table = { schema: "fleet", table: "maintenance" };
  const values = {
    ...{ vehicle_id: "{{steps.vehicle.0.id}}", kind: "Inspection of {{start.data.body.plate}}" },
    ...{ cost: 99.5, performed_on: null },
  };
  const file = { folderId: null, visibility: "PRIVATE", title: "Report" };
  return {
    trigger: {
      ...{ kind: "webhook", response: "SYNCHRONOUS", waitSeconds: 30, executeAs },
      redactBody: ["/card/number"],
      signature: { kind: "HMAC", header: "X-Signature", secrets: ["CRM_KEY", "GITHUB_KEY"] },
    },
    concurrency: 4,
    steps: [
      {
        ...{ id: "vehicle", kind: "listRows", schema: "fleet", table: "vehicles", limit: 1 },
        ...{ fields: "id,plate", orderBy: "-plate,id" },
        where: { plate: { _eq: "{{start.data.body.plate}}" }, id: { _gt: 7, _lt: "{{vars.max}}" } },
      },
      {
        id: "one",
        kind: "getRow",
        schema: "fleet",
        table: "vehicles",
        key: "{{steps.vehicle.0.id}}",
      },
      {
        ...{ id: "row", kind: "createRow", ...table, values },
        ...{ retry: { attempts: 3, backoff: "fixed" }, onError: "continue" },
      },
      { id: "change", kind: "updateRows", ...table, key: 17, values: { kind: "Repair" } },
      {
        ...{ id: "remove", kind: "deleteRows", ...table, maxAffected: 5 },
        where: { _or: [{ cost: { _gt: "{{start.data.body.cost}}" } }, { kind: { _null: true } }] },
      },
      {
        ...{
          id: "ask",
          kind: "httpRequest",
          method: "POST",
          url: "https://crm.example.com/{{vars.path}}",
        },
        headers: { Accept: "application/json", "X-Trace": "{{start.data.meta.ip}}" },
        query: { tenant: 7, active: true, tags: ["a", "{{vars.tag}}"] },
        auth: { kind: "bearer", token: "{{secrets.CRM_KEY}}" },
        body: { plate: "{{start.data.body.plate}}", rows: "{{steps.vehicle}}" },
        retry: { attempts: 5, statuses: [429, 503] },
      },
      {
        ...{ id: "mail", kind: "sendEmail", to: ["ada@example.com", "{{start.data.body.mail}}"] },
        ...{
          subject: "Trip of {{start.data.body.plate}}",
          text: "Hello\n\n{{steps.ask.body.text}}",
        },
      },
      {
        ...{ id: "document", kind: "renderDocument", template: "invoice", name: "invoice.html" },
        ...{ ...file, data: { number: 17, lines: "{{steps.vehicle}}" } },
      },
      { id: "store", kind: "storeFile", ...file, name: "a.txt", content: "{{steps.ask.body}}" },
      { id: "read", kind: "readFile", file: "{{steps.store.id}}", as: "json" },
      { id: "sub", kind: "runWorkflow", workflow: "report-trip", input: { plate: "GO-102-WK" } },
      { id: "pause", kind: "delay", seconds: 3600 },
      {
        id: "set",
        kind: "setValues",
        values: { max: 10, tag: "{{start.data.query.tag ?? null}}" },
      },
      {
        ...{ id: "known", kind: "condition" },
        expression: 'size(steps.vehicle) == 1 && start.data.body.kind != "none"',
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "bad", kind: "fail", code: "NOT_KNOWN", message: "{{vars.tag}} is unknown" }],
      },
      {
        ...{ id: "kind", kind: "switch", value: "{{start.data.body.kind}}" },
        cases: [
          { equals: "repair", steps: [{ id: "nap", kind: "delay", until: "{{vars.until}}" }] },
          { equals: 7, steps: [] },
          { equals: null, steps: [] },
        ],
      },
      {
        ...{ id: "each", kind: "forEach", items: "{{start.data.body.legs}}", concurrency: 4 },
        steps: [{ id: "leg", kind: "setValues", values: { last: "{{item}}" } }],
        onError: { steps: [{ id: "sorry", kind: "setValues", values: { failed: true } }] },
      },
      { id: "end", kind: "finish", result: { visit: "{{steps.row.id ?? null}}" } },
    ],
  };
}
