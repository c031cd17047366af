import type { Page } from "playwright-core";
import type { Screen } from "./screen.ts";

/**
 * The screens of imports and exports.
 *
 * @param open shows the rows of the vehicles
 */
export function transferScreens(open: (page: Page) => Promise<void>): Screen[] {
  const choose = async (page: Page, text: string) => {
    await open(page);
    await page.locator("header button:has(.lucide-upload)").click();
    await page.locator("input[type=file]").setInputFiles({
      ...{ name: "vehicles.csv", mimeType: "text/csv", buffer: Buffer.from(text) },
    });
    await page.locator("dialog select").first().waitFor();
  };
  return [
    ...pasteScreens(open),
    {
      name: "export-forms",
      show: async (page) => {
        await open(page);
        await page.locator("header button:has(.lucide-download)").click();
        await page.locator("[role=menuitem]").nth(1).click();
        await page.locator("dialog select").first().waitFor();
      },
    },
    {
      name: "import",
      show: async (page) => {
        await open(page);
        await page.locator("header button:has(.lucide-upload)").click();
        await page.locator("dialog input[type=file]").waitFor();
      },
    },
    {
      name: "import-mapped-overfull",
      show: (page) =>
        choose(
          page,
          "id,Plate,price,nothing like a column\n901,AA-901-AA,12.50,x\n902,BB-902-BB,7,y\n",
        ),
    },
    {
      name: "import-forms-overfull",
      show: (page) =>
        choose(
          page,
          "sep=;\rid;plate;price;inspected_on;is_leased\r901;AA-901-AA;12,50;01.02.2024;YES\r902;BB-902-BB;7,25;29.02.2024;no\r",
        ),
    },
    {
      name: "import-ambiguous-overfull",
      show: (page) => choose(page, "id,plate,inspected_on,is_leased\n901,AA-901-AA,03/04/2024,N\n"),
    },
    {
      name: "import-faults-overfull",
      show: async (page) => {
        const lines = Array.from(
          { length: 8 },
          (_, number) => `90${number},AA-90${number},Saab,much ${number}`,
        );
        await choose(page, `id,plate,make,price\n${lines.join("\n")}\n`);
        await page.locator("dialog button").last().click();
        await page.locator("dialog ol li").first().waitFor();
        await page.locator("dialog ol").scrollIntoViewIfNeeded();
      },
    },
    {
      name: "import-skipped-overfull",
      show: async (page) => {
        const lines = Array.from(
          { length: 250 },
          (_, number) =>
            `${901 + number},AA-${100 + number}-AA,Saab,${number < 202 ? "much" : number}`,
        );
        await choose(page, `id,plate,make,price\n${lines.join("\n")}\n`);
        await page.locator("dialog button").last().click();
        await page.locator("dialog ol li").first().waitFor();
        await page.locator("dialog button:has(.lucide-download)").waitFor();
        await page.locator("dialog div:has(> button .lucide-download) button").first().click();
        await page.locator("dialog p[role=status] + div .lucide-download").waitFor();
        await page.locator("dialog button").last().scrollIntoViewIfNeeded();
      },
    },
  ];
}

/** The screens of pastes on the grid of the vehicles. */
function pasteScreens(open: (page: Page) => Promise<void>): Screen[] {
  /** Pastes a table of texts on the grid; a narrow window has cards, which take none. */
  const paste = async (page: Page, [row, column]: readonly [number, number], text: string) => {
    await open(page);
    const cell = page.locator(`[data-row="${row}"] [data-column="${column}"]`);
    if ((await cell.count()) === 0) return false;
    await cell.click();
    await page.locator("[role=grid]").evaluate((grid, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      grid.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
    await page.locator("dialog table").waitFor();
    return true;
  };
  return [
    {
      name: "paste-over",
      isOneWidth: true,
      show: async (page) => {
        await paste(
          page,
          [2, 0],
          "id\tplate\tmake\tdriver_id\n3\tAD-121-DK\tSaab\tAda Dahl 1\n77\tAE-128-EK\tFord\tnobody\n5\tAF-135-FK\tTatra\t4",
        );
      },
    },
    {
      name: "paste-lines-overfull",
      isOneWidth: true,
      show: async (page) => {
        const lines = Array.from({ length: 30 }, (_, index) => {
          const price = index === 3 ? "a lot" : `${10 + index}.50`;
          const driver = index === 5 ? "Ada Nobody" : `Ada Dahl ${1 + (index % 5) * 6}`;
          return `ZZ-${100 + index}-ZZ\tSaab\t9-${index}\t${price}\t${driver}\t2026-0${1 + (index % 9)}-11`;
        });
        const heads = "plate\tmake\tmodel\tprice\tdriver_id\tinspected_on";
        if (!(await paste(page, [2, 0], [heads, ...lines].join("\n")))) return;
        await page.locator("dialog input[type=radio]").last().check();
        await page.locator("dialog [aria-invalid]").nth(1).waitFor();
      },
    },
  ];
}
