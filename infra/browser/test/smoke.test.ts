// Tier: usual. One journey in a browser; the others are in the other tiers.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { administratorId, callWebhook, createWorkflow } from "../src/workflows.ts";
import { cell, columnOf, prepareDepotJourney, saved, typeInto } from "./depot-journey.ts";

type Named = { readonly id: string };

describe.runIf(hasChromium())("in a browser", () => {
  const depot = prepareDepotJourney();

  it("a person edits a row of the grid", async () => {
    const page = await depot.open("vehicles");
    const model = await columnOf(page, "model");
    await typeInto(page, cell(page, 2, model), "Sprinter");
    await saved(page);
    expect(await depot.query("select model from depot.vehicles where id = 3")).toEqual([
      { model: "Sprinter" },
    ]);
  });

  it("an administrator signs in, sees who has an account, and reads a workflow's run", async () => {
    const { service, open, createPerson, signInAt } = depot.journey;
    await createPerson("boss@example.com");
    const [role] = (await service.administer("GET", "/roles?search=administrators")) as Named[];
    const [boss] = (await service.administer("GET", "/users?search=boss")) as Named[];
    await service.administer("POST", `/roles/${role?.id}/members`, { userId: boss?.id });
    const executeAs = await administratorId(service);
    const workflowId = await createWorkflow(service, "greet", "Greet", {
      trigger: { kind: "webhook", access: "PUBLIC", executeAs },
      steps: [{ id: "end", kind: "finish", result: "{{start.data.body.name}}" }],
    });
    const run = await callWebhook(service, "greet", { name: "Ada" });
    const { page } = await open();
    await signInAt(page, "boss@example.com");
    await page.goto("/admin/people/users");
    await page.getByRole("row", { name: /boss@example.com/ }).waitFor();
    await page.goto(`/admin/workflows/${workflowId}/runs/${run}`);
    await page.getByRole("treeitem", { name: /end/ }).click();
    await page.getByText("Succeeded").first().waitFor();
  });
});
