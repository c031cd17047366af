import type { Page } from "playwright-core";
import { prepareClinic } from "./clinic.ts";
import { openRows } from "./data-screens.ts";
import { enterAs } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** The lines of a record, rows that refer to it, and places in a list, over the tables of a clinic. */
export async function clinicScreens(service: BrowserService): Promise<Screen[]> {
  const { receptionist } = await prepareClinic(service);
  await service.test.database.query(
    `insert into clinic.service_item select 'LONG' || n, repeat('A service with a long name ', 4) || n, 'piece', n from generate_series(1, 25) n;
     insert into clinic.appointment_item select 3, code, 7 from clinic.service_item on conflict do nothing;
     insert into clinic.allergy select 'A' || n, 'Allergy to a rare substance number ' || n from generate_series(1, 30) n;
     insert into clinic.patient_allergy select 3, code from clinic.allergy on conflict do nothing`,
  );
  const record = (path: string) => async (page: Page) => {
    await enterAs(page, receptionist, `/app/records/clinic/table/${path}`);
    await page.locator("main form").first().waitFor();
    await page.locator("main form [role=combobox]").last().waitFor();
  };
  const rows =
    (name: string, query = "") =>
    (page: Page) =>
      openRows(page, receptionist, `/app/data/clinic/table/${name}${query}`);
  return [
    { name: "lines", show: record("appointment/1") },
    { name: "lines-overfull", show: record("appointment/3") },
    {
      name: "lines-faults",
      show: async (page) => {
        await record("appointment/2")(page);
        const quantities = page.locator("[data-line] input:not([role])");
        await quantities.first().fill("0");
        await quantities.last().fill("2");
        await page.locator("[data-line] [role=combobox]").nth(1).fill("repo");
        await page.locator("[role=option]:visible").first().waitFor();
        await page.keyboard.press("Tab");
        await page.keyboard.press("Control+s");
        await page.locator("[aria-invalid=true]").waitFor();
      },
    },
    { name: "lines-chips", show: record("patient/1") },
    { name: "lines-chips-overfull", show: record("patient/3") },
    {
      name: "lines-new",
      show: async (page) => {
        await rows("invoice")(page);
        await page.locator("[data-new]").click();
        await page.locator("aside [data-line]").waitFor();
        await page.locator("aside [data-line] [role=combobox]").fill("consu");
        await page.locator("[role=option]:visible").first().waitFor();
      },
    },
    {
      name: "related-add",
      show: async (page) => {
        await record("room/NORD,1")(page);
        await page.locator("main section button:has(.lucide-plus)").first().click();
        await page.locator("main section form [role=combobox]").first().waitFor();
      },
    },
    {
      name: "rows-go-to",
      show: async (page) => {
        await rows("appointment", "?from=21")(page);
        await page.locator("footer").waitFor();
        await page.locator("footer button").first().click();
        await page.locator("dialog input").first().waitFor();
      },
    },
    { name: "rows-from", show: rows("appointment", "?from=21") },
  ];
}
