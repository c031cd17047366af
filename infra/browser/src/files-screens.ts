import type { Page } from "playwright-core";
import { openRows } from "./data-screens.ts";
import { fillLibrary, prepareLibrary, preparePapers } from "./library.ts";
import { enterAs, type People } from "./people.ts";
import { samplePicture } from "./sample-files.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** The path of the rows with columns of files. */
const papersPath = "/app/data/archive/table/papers";

/** The screens of the library, and of files in forms and grids. */
export async function filesScreens(
  service: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  const library = await prepareLibrary(service);
  await preparePapers(service, library.roleId);
  const filled = await fillLibrary(service, library);
  const crowded = await fillCrowd(library);
  const at = (search: string) => async (page: Page) => {
    await enterAs(page, library.session, `/app/files${search}`);
    await page.locator("h1").waitFor();
    await page.locator("main section li, main table, main section p").first().waitFor();
    await picturesOf(page);
  };
  const opened = (id: string) => async (page: Page) => {
    await at(`?open=${id}`)(page);
    await page.locator("aside dl").waitFor();
    await picturesOf(page);
  };
  const asked = (id: string, button: number) => async (page: Page) => {
    await opened(id)(page);
    await page.locator("aside button").nth(button).click();
    await page.locator("dialog").waitFor();
  };
  const paper = (search: string) => async (page: Page) => {
    await openRows(page, library.session, `${papersPath}${search}`);
    await picturesOf(page);
  };
  const asAdministrator = (path: string) => async (page: Page) => {
    await enterAs(page, administrator, path);
    await page.locator("h1").waitFor();
  };
  /** The library before files are used; the navigation names no resource. */
  const unused = async (page: Page) => {
    await page.route("**/app/api/navigation", async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { data: { resources: { schema: string }[] } };
      json.data.resources = json.data.resources.filter(({ schema }) => schema !== "system");
      await route.fulfill({ response: answer, json });
    });
    await enterAs(page, administrator, "/app/files");
    await page.locator("main h1").waitFor();
  };
  return [
    { name: "files-unused", show: unused },
    {
      name: "files-start",
      show: async (page) => {
        await unused(page);
        await page.locator("main button").last().click();
        await page.locator("dialog input").fill("Archivists");
        await page.locator("[role=option]").first().click();
        await page.locator("dialog select").selectOption("UPLOAD");
      },
    },
    {
      name: "files-stop",
      show: async (page) => {
        await asAdministrator("/admin/settings?section=files")(page);
        await page.locator("[role=switch][aria-checked=true]:not(:disabled)").first().waitFor();
        await page.locator("#settings-files [role=switch]").first().click();
        await page.locator("dialog").waitFor();
      },
    },
    {
      name: "files-setting",
      show: async (page) => {
        await asAdministrator("/admin/settings?search=files&section=files")(page);
        await page.locator("#settings-files [role=switch]").first().waitFor();
      },
    },
    { name: "files", show: at("") },
    { name: "files-list", show: at("?view=list&order=newest") },
    { name: "files-empty", show: at(`?folder=${filled.signed}`) },
    { name: "files-nothing-found", show: at("?search=nothing-like-this") },
    { name: "files-overfull", show: at(`?folder=${crowded.folder}`) },
    { name: "files-list-overfull", show: at(`?folder=${crowded.folder}&view=list`) },
    { name: "files-picture", show: opened(filled.harbor) },
    { name: "files-text-public", show: opened(filled.notes) },
    { name: "files-sound", show: opened(filled.sound) },
    { name: "files-no-preview", show: opened(filled.archive) },
    { name: "files-quarantined", show: opened(filled.quarantined) },
    { name: "files-details-overfull", show: opened(crowded.file) },
    {
      name: "files-missing",
      show: async (page) => {
        await at("?open=00000000-0000-4000-8000-000000000000")(page);
        await page.locator("aside [role=status]").waitFor();
      },
    },
    { name: "files-move", show: asked(filled.harbor, 3) },
    { name: "files-delete", show: asked(filled.harbor, 4) },
    {
      name: "files-uploads",
      show: async (page) => {
        await at("")(page);
        const many = Array.from({ length: 5 }, (_, number) => ({
          ...{ name: `picture ${number}.png`, mimeType: "image/png" },
          buffer: Buffer.from(samplePicture(64, 64, number * 60)),
        }));
        // A part of them is refused by the connection, which is a fault of each.
        await page.route("**/api/files/uploads/*", (route) =>
          route.request().method() === "PATCH" ? route.abort() : route.continue(),
        );
        await page.locator("header input[type=file]").setInputFiles(many);
        await page.locator("section section [role=progressbar]").first().waitFor();
      },
    },
    { name: "files-grid-columns", show: paper("") },
    {
      name: "files-field",
      show: async (page) => {
        await paper(`?open=${encodeURIComponent('["archive/table/papers/1"]')}`)(page);
        await page.locator("aside form fieldset").first().waitFor();
        await picturesOf(page);
      },
    },
    {
      name: "files-chooser",
      show: async (page) => {
        await paper(`?open=${encodeURIComponent('["archive/table/papers/3"]')}`)(page);
        await page.locator("aside form fieldset button").first().click();
        await page.locator("dialog ul li").first().waitFor();
        await picturesOf(page);
      },
    },
  ];
}

/** Waits until the pictures in view are loaded, so that every run shows the same. */
async function picturesOf(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-picture]")].every((box) => {
      const { bottom, top } = box.getBoundingClientRect();
      const isInView = bottom > 0 && top < innerHeight;
      return !isInView || box.querySelector("img")?.complete === true || box.querySelector("svg");
    }),
  );
}

/** A folder with long and odd names, and more of them than a screen has. */
async function fillCrowd({ upload, createFolder }: Awaited<ReturnType<typeof prepareLibrary>>) {
  const folder = await createFolder("Einwohnermeldeamt der Landeshauptstadt ".repeat(5).trim());
  for (let number = 1; number <= 12; number += 1) await createFolder(`Folder ${number}`, folder);
  await createFolder("مجلد الصور", folder);
  const file = await upload(
    `${"a-very-long-name-without-any-space".repeat(6)}.png`,
    samplePicture(900, 120, 10),
    {
      ...{ folder_id: folder, description: "A description of many words. ".repeat(60) },
      ...{ title: "Donaudampfschifffahrtsgesellschaft ".repeat(6).trim(), visibility: "PUBLIC" },
    },
  );
  const names = ["\u202etxt.exe", "صورة.png", "<img src=x onerror=alert(1)>.txt", "=1+1.csv"];
  for (const name of names) await upload(name, "content of no matter", { folder_id: folder });
  for (let number = 1; number <= 70; number += 1) {
    await upload(`picture ${number}.png`, samplePicture(48, 36, number * 5), { folder_id: folder });
  }
  return { folder, file };
}
