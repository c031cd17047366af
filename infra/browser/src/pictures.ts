// `npm run pictures [word …]`: photographs each screen whose name contains a word, all without one, into `pictures/`.
import { mkdir } from "node:fs/promises";
import { startPostgresServer } from "@rowhouse/testing";
import { openChromium } from "./chromium.ts";
import { prepareScreens } from "./screens.ts";
import { providerRecord, startBrowserService } from "./service.ts";
import { openPage } from "./watched-page.ts";

const folder = "pictures";
const widths = [1440, 1024, 390] as const;
const heights: Readonly<Record<number, number>> = { 1440: 900, 1024: 768, 390: 844 };
const schemes = ["light", "dark"] as const;

const words = process.argv.slice(2);
const server = await startPostgresServer();
process.env.ROWHOUSE_TEST_SERVER_URL = server.url;
const service = await startBrowserService();
const browser = await openChromium();
try {
  const role = (await service.administer("POST", "/roles", { name: "Readers" })) as { id: string };
  await service.administer("POST", "/auth-providers", providerRecord(service.provider, role.id));
  const screens = await prepareScreens(service);
  const wanted = screens.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  await mkdir(folder, { recursive: true });
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const viewport = { width, height: heights[width] ?? 900 };
      const options = { viewport, colorScheme };
      const { openTab, close, faults } = await openPage(browser, service.url, options);
      for (const { name, show } of wanted) {
        const page = await openTab();
        await show(page);
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
        await page.close();
      }
      await close();
      for (const fault of faults) console.error(fault);
    }
  }
  console.log(`${wanted.length * widths.length * schemes.length} pictures in ${folder}/`);
} finally {
  await browser.close();
  await service.stop();
  await server.stop();
}
