// `npm run pictures [word …]`: photographs each screen whose name contains a word, all without one, into `pictures/`.
// `--documents` renews those of `docs/pictures` instead (`screen.ts`).
// `--language de`, `--width 390` and `--scheme dark` photograph only these; `--width` and `--scheme` can be repeated.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startPostgresServer } from "@rowhouse/testing";
import { openChromium } from "./chromium.ts";
import { documentPictures } from "./screen.ts";
import { prepareScreens } from "./screens.ts";
import { providerRecord, startBrowserService } from "./service.ts";
import { openPage } from "./watched-page.ts";

const folder = "pictures";
const documentsFolder = "docs/pictures";
const widths = [1440, 1024, 390] as const;
const heights: Readonly<Record<number, number>> = { 1440: 900, 1024: 768, 390: 844 };
const schemes = ["light", "dark"] as const;

const { values: chosen, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: "boolean", default: false },
    language: { type: "string", default: "en" },
    width: { type: "string", multiple: true },
    scheme: { type: "string", multiple: true },
  },
});
const suffix = chosen.language === "en" ? "" : `-${chosen.language}`;
let count = 0;
const server = await startPostgresServer();
process.env.ROWHOUSE_TEST_SERVER_URL = server.url;
const service = await startBrowserService();
const browser = await openChromium();
try {
  const role = (await service.administer("POST", "/roles", { name: "Readers" })) as { id: string };
  await service.administer("POST", "/auth-providers", providerRecord(service.provider, role.id));
  const screens = await prepareScreens(service);
  const ofDocuments = chosen.documents ? documentPictures : [];
  const wanted = screens.filter(({ name }) =>
    chosen.documents
      ? ofDocuments.some(({ screen }) => screen === name)
      : words.length === 0 || words.some((word) => name.includes(word)),
  );
  await mkdir(folder, { recursive: true });
  for (const colorScheme of schemes) {
    if (chosen.scheme?.includes(colorScheme) === false) continue;
    for (const width of widths) {
      if (chosen.width?.includes(String(width)) === false) continue;
      if (chosen.documents && width !== widths[0]) continue;
      const viewport = { width, height: heights[width] ?? 900 };
      const locale = chosen.language === "en" ? "en-GB" : chosen.language;
      const options = { viewport, colorScheme, locale };
      const { openTab, close, faults } = await openPage(browser, service.url, options);
      for (const { name, show } of wanted) {
        const own = ofDocuments.find(
          ({ screen, scheme }) => screen === name && scheme === colorScheme,
        );
        if (chosen.documents && own === undefined) continue;
        const page = await openTab();
        if (suffix !== "") page.setDefaultTimeout(10_000);
        try {
          await show(page);
          await page.evaluate(() => document.fonts.ready);
        } catch (error) {
          // A screen that waits for an English text does not arrive in another language.
          console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        }
        const path =
          own === undefined
            ? `${folder}/${name}-${width}-${colorScheme}${suffix}.png`
            : `${documentsFolder}/${own.file}.png`;
        const clip = own?.part === undefined ? null : await page.locator(own.part).boundingBox();
        await page.screenshot({ path, ...(clip === null ? {} : { clip }) });
        count += 1;
        await page.close();
      }
      await close();
      for (const fault of faults) console.error(fault);
    }
  }
  console.log(`${count} pictures in ${chosen.documents ? documentsFolder : folder}/`);
} finally {
  await browser.close();
  await service.stop();
  await server.stop();
}
