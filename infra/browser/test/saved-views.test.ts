import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { depotPath, openRows, prepareDepotPerson } from "../src/data-screens.ts";
import { prepareJourney } from "./journey.ts";

describe.runIf(hasChromium())("saved views", () => {
  const journey = prepareJourney();
  let session = "";

  beforeAll(async () => {
    ({ session } = await prepareDepotPerson(journey.service));
  });

  it("are saved, opened, changed, renamed, ordered and deleted", async () => {
    const { page } = await journey.open();
    const where = encodeURIComponent(JSON.stringify({ make: { _eq: "DAF" } }));
    await openRows(
      page,
      session,
      `${depotPath("vehicles")}?where=${where}&order_by=-price&fields=plate,price&pinned=plate`,
    );
    const dialog = page.getByRole("dialog", { name: "Views" });
    const name = dialog.getByLabel("Name of a new view");
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await name.fill("Dear DAFs");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Dear DAFs", exact: true }).waitFor();
    await page.waitForURL(/view=/);
    // A name exists once.
    await name.fill("Dear DAFs");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await name.fill("Second");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Move Second up" }).click();
    await dialog.getByRole("button", { name: "Move Second up", disabled: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.goto(depotPath("vehicles"));
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await dialog.getByRole("button", { name: "Dear DAFs", exact: true }).click();
    await page.getByText("of 20 rows").waitFor();
    expect(await page.getByRole("columnheader", { name: "make" }).count()).toBe(0);
    const address = new URL(page.url()).searchParams;
    expect(address.get("order_by")).toBe("-price");
    expect(address.get("pinned")).toBe("plate");

    await page.getByRole("columnheader", { name: "price" }).click();
    await page.getByRole("button", { name: "Dear DAFs changed" }).click();
    await dialog.getByRole("button", { name: "Save changes to Dear DAFs" }).click();
    await dialog
      .getByRole("button", { name: "Save changes to Dear DAFs" })
      .waitFor({ state: "hidden" });
    await dialog.getByRole("button", { name: "Rename Dear DAFs" }).click();
    await dialog.getByLabel("Rename Dear DAFs").fill("DAFs");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "DAFs", exact: true }).waitFor();
    const kept = await journey.service.test.database.query(
      "select name, definition from system.saved_views order by position, name",
    );
    expect(kept).toMatchObject([{ name: "Second" }, { name: "DAFs" }]);
    await dialog.getByRole("button", { name: "Delete DAFs" }).click();
    await dialog.getByRole("button", { name: "DAFs", exact: true }).waitFor({ state: "hidden" });
    await page.waitForURL((url) => !url.searchParams.has("view"));
    expect(await dialog.getByRole("button", { name: "Second", exact: true }).count()).toBe(1);
  });
});
