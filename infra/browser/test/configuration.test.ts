// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import { BlobReader, TextWriter, ZipReader } from "@zip.js/zip.js/index-native.js";
import type { Download, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Texts, zipOf } from "../src/configuration-screens.ts";
import { enter, enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

interface Planned {
  readonly planId: string;
  readonly digest: string;
}

describe.runIf(hasChromium())("the page of the configuration", () => {
  const journey = prepareJourney();
  let administrator = "";

  beforeAll(async () => {
    const { service } = journey;
    const roles = (await service.administer("GET", "/roles")) as {
      id: string;
      isAdministrators: boolean;
    }[];
    const own = roles.find(({ isAdministrators }) => isAdministrators);
    administrator = await enter(service, "keeper@example.com", "Keeper", own?.id ?? "");
    await service.test.database.query(`
      create schema harbor;
      create table harbor.berths (id int primary key, name text not null, note text);
      insert into harbor.berths select n, 'Berth ' || n, 'x' from generate_series(1, 20) n`);
  });

  const read = async () =>
    ((await journey.service.administer("GET", "/configuration")) as { files: Texts }).files;
  const driftCount = async () =>
    ((await journey.service.administer("GET", "/configuration/drift")) as { files: unknown[] })
      .files.length;

  /** Applies the present files, as the command line does. */
  async function applyPresent(): Promise<void> {
    const { administer } = journey.service;
    const plan = { files: await read() };
    const { planId, digest } = (await administer("POST", "/configuration/plan", plan)) as Planned;
    const source = { commit: "4f2a91c0d3b7e8f6", url: "https://git.example/c/4f2a91c0d3b7e8f6" };
    await administer("POST", "/configuration/apply", { planId, digest, source });
  }

  async function filesOf(download: Download): Promise<Texts> {
    const reader = new ZipReader(
      new BlobReader(new Blob([await readFile(await download.path())])),
      {
        useWebWorkers: false,
      },
    );
    const files: Record<string, string> = {};
    for (const entry of await reader.getEntries()) {
      if (!entry.directory) files[entry.filename] = await entry.getData(new TextWriter());
    }
    return files;
  }

  async function downloaded(page: Page, button: string): Promise<Download> {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    return download;
  }

  it("shows what SQL has changed, and sets it back by the keyboard alone", async () => {
    const { page } = await journey.open();
    const { keyboard } = page;
    await enterAs(page, administrator, "/admin/configuration");
    await page.getByText("Nothing has been applied yet").waitFor();
    await applyPresent();
    await page.reload();
    await page.getByText("The service is as the files say.").waitFor();
    const commit = page.getByRole("link", { name: "4f2a91c0d3" });
    expect(await commit.getAttribute("href")).toBe("https://git.example/c/4f2a91c0d3b7e8f6");
    await journey.service.test.database.query("alter table harbor.berths add column depth int");
    await page.reload();
    await page.getByRole("table", { name: "tables/harbor/berths.yaml" }).waitFor();
    await page
      .getByText("+1", { exact: true })
      .or(page.getByText("+2", { exact: true }))
      .waitFor();
    await tabTo(page, "link", "Set back…");
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /Set back to the last apply$/ }).waitFor();
    await page.getByText('drop column "depth"').waitFor();
    await page.getByText("One consent is missing.").waitFor();
    await tabTo(page, "textbox", "Type harbor.berths.depth");
    await keyboard.type("harbor.berths.depth");
    await page.getByText("One consent is missing.").waitFor({ state: "detached" });
    await tabTo(page, "button", "Apply the step");
    await keyboard.press("Enter");
    await page.getByText("One step is applied.").waitFor();
    expect(await driftCount()).toBe(0);
    await page.getByRole("link", { name: "To the configuration" }).click();
    await page.getByText("The service is as the files say.").waitFor();
    // It is the same commit again.
    await commit.waitFor();
  });

  it("downloads the present files; once they are imported, nothing differs", async () => {
    const { service } = journey;
    const { page } = await journey.open();
    await applyPresent();
    await service.administer("PATCH", "/settings", { "data.default_limit": 33 });
    await enterAs(page, administrator, "/admin/configuration");
    await page.getByRole("table", { name: "settings.yaml" }).waitFor();
    const download = await downloaded(page, "Take over into files");
    expect(download.suggestedFilename()).toBe("configuration.zip");
    const files = await filesOf(download);
    expect(files).toEqual(await read());
    expect(files["settings.yaml"]).toContain("data.default_limit: 33");
    await page.getByRole("link", { name: "Import a zip" }).click();
    await page.getByLabel("Zip with the files").setInputFiles(await zipOf(files));
    await page.getByText("Nothing to do: the service is as the files say.").waitFor();
    await page.getByRole("button", { name: "Take these files as applied" }).click();
    await page.getByText("The files are taken as applied.").waitFor();
    expect(await driftCount()).toBe(0);
  });

  it("imports a zip with a folder around its files, with the variables of an environment", async () => {
    const { service } = journey;
    const { page } = await journey.open();
    const zip = {
      "fleet/rowhouse.yaml": "version: 1\nparts: [roles]\n",
      "fleet/README.md": "Ours\n",
      "fleet/roles/Pilots.yaml": `description: $${"{TEXT}"}\n`,
      "fleet/environments/staging.yaml": "TEXT: For staging\n",
      ...Object.fromEntries(
        Object.entries(await read()).flatMap(([path, text]) =>
          path.startsWith("roles/") ? [[`fleet/${path}`, text]] : [],
        ),
      ),
    };
    await enterAs(page, administrator, "/admin/configuration/import");
    await page.getByLabel("Zip with the files").setInputFiles(await zipOf(zip));
    await page.getByRole("row", { name: /roles\/Pilots\.yaml:1:14/ }).waitFor();
    await page.getByLabel("Variables of").selectOption("staging");
    await page.getByRole("listitem").filter({ hasText: "Create the role" }).waitFor();
    // Somebody else changes a role meanwhile.
    await service.administer("POST", "/roles", { name: "Between" });
    await page.getByRole("button", { name: "Apply the step" }).click();
    await page.getByText("The configuration has changed since this plan was made").waitFor();
    await page.getByRole("button", { name: "Plan again" }).click();
    await page.getByLabel("Delete Between").check();
    await page.getByRole("button", { name: "Apply 2 steps" }).click();
    await page.getByText("2 steps are applied.").waitFor();
    const roles = (await service.administer("GET", "/roles")) as Record<string, string>[];
    expect(roles.find(({ name }) => name === "Pilots")?.description).toBe("For staging");
    expect(roles.find(({ name }) => name === "Between")).toBeUndefined();
  });

  it("names the rows that stand in the way, and offers nothing to apply", async () => {
    const { page } = await journey.open();
    await journey.service.test.database.query(
      "update system.resources set exposed_methods = '{GET}' where schema_name = 'harbor'",
    );
    const files = await read();
    const path = "tables/harbor/berths.yaml";
    const checked = `${files[path] ?? ""}checks:\n  berths_id_check: { check: id > 5 }\n`;
    await enterAs(page, administrator, "/admin/configuration/import");
    await page
      .getByLabel("Zip with the files")
      .setInputFiles(await zipOf({ ...files, [path]: checked }));
    await page.getByText("Rows stand in the way.").waitFor();
    const rows = page.getByRole("link", { name: "5 rows, the first: 1" });
    const [grid] = await Promise.all([page.waitForEvent("popup"), rows.click()]);
    await grid.getByRole("gridcell", { name: "Berth 5" }).waitFor();
    expect(await grid.getByRole("gridcell", { name: /^Berth/ }).count()).toBe(5);
    await grid.close();
    expect(await page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
  });
});
