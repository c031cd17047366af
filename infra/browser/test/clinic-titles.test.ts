// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Clinic, prepareClinic } from "../src/clinic.ts";
import { enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

// Names of rows, and permissions, on the shape of a clinic.

describe.runIf(hasChromium())("names of rows and rights on them", () => {
  const journey = prepareJourney();
  let clinic: Clinic;

  beforeAll(async () => {
    clinic = await prepareClinic(journey.service);
  });

  async function openAs(session: string, path: string): Promise<Page> {
    const { page } = await journey.open();
    await enterAs(page, session, path);
    return page;
  }
  const rowsOf = (table: string, query: Record<string, unknown> = {}) => {
    const texts = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    return `/app/data/clinic/table/${table}?${new URLSearchParams(texts)}`;
  };

  it("a row that names only others is called by them, in a grid with one request for its rows", async () => {
    const { page } = await journey.open();
    const lists: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/api\/clinic\/table\/[^/]+$/.test(pathname)) lists.push(pathname);
    });
    await enterAs(
      page,
      clinic.receptionist,
      rowsOf("appointment_item", { fields: "appt,code,qty" }),
    );
    await page
      .getByText(/^Appointment · .+ · \d+ Nov 2026, \d\d:\d\d$/)
      .first()
      .waitFor();
    await page.getByText("CONS Consultation").first().waitFor();
    expect(new Set(lists)).toEqual(new Set(["/api/clinic/table/appointment_item"]));
    await page.goto("/app/records/clinic/table/vaccination/1");
    await page.getByRole("heading", { name: /Vaccination · Lea Novak · 15 Nov 2026$/ }).waitFor();
  });

  it("a filter and groups show the titles of rows, and a reference of two columns as one", async () => {
    const page = await openAs(
      clinic.receptionist,
      rowsOf("vaccination", { where: { pat: { _eq: 1 } } }),
    );
    await page
      .getByRole("button", { name: "Change the filter: Pat is Lea Novak" })
      .first()
      .waitFor();
    await page.goto(
      rowsOf("appointment", { where: { room_site: { _eq: "NORD" }, room_no: { _eq: 1 } } }),
    );
    const chip = page.getByRole("button", {
      name: "Remove the filter: Room is NORD Clinic North · 1",
    });
    await chip.waitFor();
    await chip.click();
    await page.waitForURL((url) => !url.search.includes("room"));
    await page.goto(rowsOf("appointment", { group: "room_site,room_no" }));
    await page.getByRole("columnheader", { name: "Room", exact: true }).waitFor();
    await page.getByRole("cell", { name: /NORD Clinic North · 1/ }).waitFor();
    await page.goto(rowsOf("vaccination", { group: "pat" }));
    await page.getByRole("cell", { name: /Lea Novak/ }).waitFor();
    await page.goto(rowsOf("vaccination", { where: { pat: { _in: [1, 2] } } }));
    await page
      .getByRole("button", { name: /Lea Novak, Jan Weber/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "Filter" });
    await dialog
      .getByRole("list", { name: /values|list/i })
      .getByText("Jan Weber")
      .waitFor();
  });

  it("rows with the same title offer an administrator another one, and nobody else", async () => {
    const page = await openAs(clinic.administrator, rowsOf("patient"));
    const note = "Several rows are called the same. Choose another title";
    await page.getByRole("link", { name: note }).click();
    await page.waitForURL(/\/admin\/structure\/clinic\/table\/patient\?tab=presentation/);
    const other = await openAs(clinic.receptionist, rowsOf("patient"));
    await other.getByText("Novak").first().waitFor();
    expect(await other.getByRole("link", { name: note }).count()).toBe(0);
  });

  it("numbers have the digits of their type", async () => {
    const page = await openAs(clinic.receptionist, rowsOf("lab_result", { fields: "id,value" }));
    await page.getByText("2.100", { exact: true }).first().waitFor();
  });

  const grantOf = async (action: string) => {
    const list = (await journey.service.administer(
      "GET",
      `/grants?roleId=${clinic.roleId}&resourceId=${clinic.idOf("patient")}`,
    )) as readonly { id: string; action: string; rowFilter: unknown }[];
    return list.find((grant) => grant.action === action);
  };

  it("a filter of Read holds for Change and Delete unless the person says otherwise, and one request saves all", async () => {
    const read = await grantOf("READ");
    const page = await openAs(clinic.administrator, `/admin/access/grants/${read?.id}`);
    await page.getByText("Matches 40 of 40 rows now").waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Filter" });
    await dialog.getByRole("combobox", { name: "Field" }).fill("home site");
    await page.keyboard.press("Enter");
    await dialog.getByRole("combobox", { name: "Value", exact: true }).fill("nord");
    await page.getByRole("option", { name: /NORD Clinic North/ }).click();
    await page.keyboard.press("Control+Enter");
    await page.getByText("Matches 13 of 40 rows now").waitFor();
    const change = page.getByRole("checkbox", { name: "Change: only these rows" });
    const remove = page.getByRole("checkbox", { name: "Delete: only these rows" });
    expect([await change.isChecked(), await remove.isChecked()]).toEqual([true, true]);
    await remove.uncheck();
    await page.getByText("May delete all 40 rows, but see only 13.").waitFor();
    const changes: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET" && request.url().includes("/grants")) {
        changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
      }
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
    expect(changes).toEqual(["PUT /admin/api/grants"]);
    const filter = { home_site: { _eq: "NORD" } };
    expect((await grantOf("READ"))?.rowFilter).toEqual(filter);
    expect((await grantOf("UPDATE"))?.rowFilter).toEqual(filter);
    expect((await grantOf("DELETE"))?.rowFilter).toBe(null);
  });

  it("a grant to delete that is made later begins with the rows that the role reads", async () => {
    const deletion = await grantOf("DELETE");
    await journey.service.administer("DELETE", `/grants/${deletion?.id}`);
    const query = new URLSearchParams({
      ...{ role: clinic.roleId, resource: clinic.idOf("patient"), action: "DELETE" },
    });
    const page = await openAs(clinic.administrator, `/admin/access/grants/new?${query}`);
    const same = page.getByRole("checkbox", { name: "Only rows that the role may read" });
    await same.waitFor();
    await expect.poll(() => same.isChecked()).toBe(true);
    await same.uncheck();
    await page.getByText("May delete all 40 rows, but see only 13.").waitFor();
    await same.check();
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/\/admin\/access\/grants\/[0-9a-f-]{36}$/);
    expect((await grantOf("DELETE"))?.rowFilter).toEqual({ home_site: { _eq: "NORD" } });
  });

  it("Why? begins with the one fact that decides", async () => {
    const { id } = JSON.parse(clinic.receptionist).user ?? {};
    const users = (await journey.service.administer("GET", "/users?limit=100")) as readonly {
      id: string;
      email: string;
    }[];
    const user = id ?? users.find(({ email }) => email.startsWith("rita@"))?.id ?? "";
    const why = (path: string, method = "GET") =>
      `/admin/access/explain?${new URLSearchParams({ user, method, path })}`;
    const page = await openAs(clinic.administrator, why("/api/clinic/table/patient"));
    await page
      .getByText("The filter of role Reception hides 27 of 40 rows of clinic.patient.")
      .waitFor();
    await page.goto(why("/api/clinic/table/patient/1"));
    await page
      .getByText("The filter of role Reception leaves out this row of clinic.patient.")
      .waitFor();
    const grant = await grantOf("DELETE");
    await journey.service.administer("DELETE", `/grants/${grant?.id}`);
    await page.goto(why("/api/clinic/table/patient/3", "DELETE"));
    await page.getByText("No role of Rita Moen grants “Delete” on clinic.patient.").waitFor();
    const site = `/resources/${clinic.idOf("site")}`;
    await journey.service.administer("PATCH", site, { exposedMethods: ["GET"] });
    await page.goto(why("/api/clinic/table/site/NORD", "PATCH"));
    await page.getByText("clinic.site is not exposed for PATCH.").waitFor();
  });

  it("hidden tables show how their rows will be called, and take another title", async () => {
    for (const table of ["vaccination", "patient", "service_item"]) {
      await journey.service.administer("PATCH", `/resources/${clinic.idOf(table)}`, {
        exposedMethods: [],
      });
    }
    const page = await openAs(clinic.administrator, "/admin/open-tables");
    const row = (name: string) => page.getByRole("listitem").filter({ hasText: `clinic.${name}` });
    await row("vaccination").getByText("Vaccination · Lea Novak · 15 Nov 2026").waitFor();
    await row("patient").getByText("Lea Novak", { exact: true }).waitFor();
    await row("service_item").getByText("BLOOD Blood panel").waitFor();
    await row("patient").getByLabel("Rows are called").selectOption("{family}, {given}");
    await row("patient").getByText("Novak, Lea", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Open 3 tables" }).click();
    await page.getByText("3 tables are open.").waitFor();
    const stored = await journey.service.administer("GET", `/resources/${clinic.idOf("patient")}`);
    expect(stored).toMatchObject({ title: "{family}, {given}" });
    const vaccination = `/resources/${clinic.idOf("vaccination")}`;
    expect(await journey.service.administer("GET", vaccination)).toMatchObject({ title: null });
  });
});
