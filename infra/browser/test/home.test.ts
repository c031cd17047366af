// Tier: long. Starts a browser; of this page, `all` has the screens.
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type DepotResource, prepareDepot } from "../src/data-rows.ts";
import { enter, enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

describe.runIf(hasChromium())("the home page", () => {
  const journey = prepareJourney();
  let session = "";
  let viewId = "";
  let boardId = "";

  beforeAll(async () => {
    const { service, roleId } = journey;
    const resources = (await prepareDepot(service)) as readonly DepotResource[];
    const vehicles = resources.find(({ name }) => name === "vehicles")?.id ?? "";
    const grant = { roleId, resourceId: vehicles, action: "READ", fields: null };
    await service.administer("POST", "/grants", grant);
    const create = async (path: string, data: object) =>
      ((await service.administer("POST", path, data)) as { readonly id: string }).id;
    viewId = await create("/data-views", {
      ...{ name: "Free vehicles", resourceId: vehicles, roleIds: [roleId], icon: "truck" },
    });
    boardId = await create("/dashboards", { name: "Morning", roleIds: [roleId], panels: [] });
    session = await enter(service, "nora@example.com", "Nora", roleId);
  });

  it("shows dashboards first, then what was pinned and opened last, and a reload keeps both", async () => {
    const { page } = await journey.open();
    await enterAs(page, session, "/app");
    const sections = () => page.locator("main section h2").allTextContents();
    await expect.poll(sections).toEqual(["Dashboards", "DataViews", "Tables and views"]);
    const sidebar = page.getByRole("navigation", { name: "Main" });
    await sidebar.getByRole("link", { name: "Free vehicles" }).click();
    await page.waitForURL(`**/app/data-views/${viewId}`);
    await page.getByRole("heading", { level: 1, name: "Free vehicles" }).waitFor();
    const kept = page.waitForResponse(
      (answer) =>
        answer.url().endsWith("/app/api/preferences") && answer.request().method() === "PATCH",
    );
    await page.getByRole("button", { name: "Pin Free vehicles to your home page" }).click();
    expect((await kept).status()).toBe(200);
    await page.getByRole("button", { name: "Remove Free vehicles from the pinned ones" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("morning");
    await page.getByRole("option", { name: /^Morning/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/app/dashboards/${boardId}`);
    await page.getByRole("heading", { level: 1, name: "Morning" }).waitFor();
    await page.goto("/app");
    await expect
      .poll(sections)
      .toEqual(["Dashboards", "Pinned", "Opened last", "DataViews", "Tables and views"]);
    const last = page.getByRole("region", { name: "Opened last" }).getByRole("link");
    await expect.poll(() => last.allTextContents()).toEqual(["Morning", "Free vehicles"]);
    const pinned = page.getByRole("region", { name: "Pinned" });
    await pinned.getByRole("button", { name: "Remove Free vehicles from the pinned ones" }).click();
    await pinned.waitFor({ state: "detached" });
  });

  it("no longer names what was taken away", async () => {
    const { service } = journey;
    await service.administer("PATCH", `/data-views/${viewId}`, { roleIds: [] });
    const { page } = await journey.open();
    await enterAs(page, session, "/app");
    await page.getByRole("region", { name: "Opened last" }).waitFor();
    expect(await page.getByText("Free vehicles").count()).toBe(0);
  });
});
