// Tier: long. Starts a browser.
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Clinic, prepareClinic } from "../src/clinic.ts";
import { enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

describe.runIf(hasChromium())("lines under their parent", () => {
  const journey = prepareJourney();
  let clinic: Clinic | undefined;
  const receptionist = () => clinic?.receptionist ?? "";
  const query = (text: string) => journey.service.test.database.query(text);

  beforeAll(async () => {
    clinic = await prepareClinic(journey.service);
  });

  it("opens", async () => {
    const { page } = await journey.open({ viewport: { width: 1440, height: 1000 } });
    for (const [i, path] of ["appointment/1", "patient/1", "invoice/1"].entries()) {
      await enterAs(page, receptionist(), `/app/records/clinic/table/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `/tmp/m-${i}.png`, fullPage: true });
    }
    await enterAs(page, receptionist(), `/app/data/clinic/table/appointment?open=${encodeURIComponent(JSON.stringify(["clinic/table/appointment/1"]))}`);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/m-3.png` });
    await enterAs(page, receptionist(), `/app/data/clinic/table/invoice`);
    await page.getByRole("button", { name: "New row" }).first().click();
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/m-4.png` });
  });
});
