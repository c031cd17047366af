// Tiers: all, long. Starts a browser; by the keyboard too in a long run.
import { isLongRun } from "@rowhouse/testing";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { loadAxe } from "../src/axe.ts";
import { hasChromium } from "../src/chromium.ts";
import { createTradingCompany } from "../src/trading-company.ts";
import { newPassword, prepareJourney } from "./journey.ts";

/** The most presses and typed fields on the way from the first page to a colleague who sees the board. */
const interactionsMax = 40;

/** How a person operates the pages. */
interface Hand {
  press(control: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
}

const mouse: Hand = {
  press: (control) => control.click(),
  type: (field, text) => field.fill(text),
};

/** Tab to a control; arrow keys within a group of radio buttons and in a list of choices; then Enter or Space. */
const keyboard: Hand = {
  press: async (control) => {
    const { keyboard: keys } = control.page();
    await control.waitFor();
    const role = await control.evaluate(
      (element) => element.getAttribute("role") ?? (element as HTMLInputElement).type ?? "link",
    );
    if (role === "option") {
      if ((await control.getAttribute("aria-selected")) !== "true") await keys.press("ArrowDown");
      await keys.press("Enter");
      return;
    }
    await reach(control, role);
    await keys.press(role === "checkbox" || role === "radio" ? "Space" : "Enter");
  },
  type: async (field, text) => {
    const { keyboard: keys } = field.page();
    await field.waitFor();
    await reach(field, "text");
    await keys.press("Control+a");
    await keys.insertText(text);
  },
};

/** More than any of these pages has. */
const tabsMax = 300;

async function reach(control: Locator, role: string): Promise<void> {
  const { keyboard: keys } = control.page();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    const state = await control.evaluate((element) => {
      const active = document.activeElement;
      if (active === element) return "there";
      const name = (element as HTMLInputElement).name;
      return active instanceof HTMLInputElement && active.type === "radio" && active.name === name
        ? "group"
        : "away";
    });
    if (state === "there") return;
    await keys.press(state === "group" && role === "radio" ? "ArrowDown" : "Tab");
  }
  throw new Error(`The keyboard does not reach ${control}`);
}

const inLongRuns: [string, Hand][] = isLongRun() ? [["by keyboard", keyboard]] : [];
const describeWays = describe
  .runIf(hasChromium())
  .each<[string, Hand]>([["by mouse", mouse], ...inLongRuns]);

describeWays("the first minutes with a database of one's own, %s", (_way, way) => {
  const journey = prepareJourney();
  beforeAll(() => createTradingCompany(journey.service));

  /** Counts what a person does. */
  function hand() {
    const done = { count: 0 };
    return {
      done,
      press: async (control: Locator) => {
        done.count += 1;
        await way.press(control);
      },
      type: async (field: Locator, text: string) => {
        done.count += 1;
        await way.type(field, text);
      },
    };
  }

  it("end with a board that a colleague sees", async () => {
    const { page } = await journey.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(journey.service.firstLink);
    const { done, press, type } = hand();
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByText(/^14 tables and views are hidden in public\./).waitFor();
    expect(await (await loadAxe(page))()).toEqual([]);

    await press(steps.getByRole("link", { name: "Choose what to open" }));
    const label = page.getByRole("textbox", { name: "Label of public.order_details" });
    expect(await label.inputValue()).toBe("Order details");
    await press(page.getByRole("radio", { name: "Read and write" }));
    await type(page.getByRole("textbox", { name: "Name of the role" }), "Sales");
    await press(page.getByRole("checkbox", { name: "public.us_states" }));
    expect(await (await loadAxe(page))()).toEqual([]);
    await press(page.getByRole("button", { name: "Open 13 tables" }));
    await page.getByText("13 tables are open.").waitFor();

    await press(page.getByRole("link", { name: "Build a dashboard" }));
    await press(page.getByRole("button", { name: /^Add all \d+ panels$/ }));
    await press(page.getByRole("button", { name: "Settings" }));
    await type(page.getByRole("textbox", { name: "Name", exact: true }), "Orders this year");
    await type(page.getByRole("combobox", { name: "Add a role" }), "Sales");
    await press(page.getByRole("option", { name: "Sales" }));
    await press(page.getByRole("button", { name: "Create" }));
    await page.waitForURL(/\/admin\/dashboards\/[0-9a-f-]{36}/);

    await press(page.getByRole("link", { name: "Workspace" }));
    await press(steps.getByRole("link", { name: "Invite" }));
    await press(page.getByRole("button", { name: "Invite a person" }));
    await type(page.getByRole("textbox", { name: "Email" }), "colleague@example.com");
    await type(page.getByRole("combobox", { name: "Add a role" }), "Sales");
    await press(page.getByRole("option", { name: "Sales" }));
    await press(page.getByRole("button", { name: "Send the invitation" }));
    await page.getByText("The mail to colleague@example.com is on its way.").waitFor();
    await press(page.getByRole("button", { name: "Close" }).last());
    await press(page.getByRole("button", { name: "Link to copy: colleague@example.com" }));
    const link = await page.getByRole("textbox", { name: "Link to copy" }).inputValue();

    const other = await journey.open();
    await other.page.goto(link);
    await other.page.getByText(/invites colleague@example\.com to .* as Sales\./).waitFor();
    await type(other.page.getByLabel("Password", { exact: true }), newPassword);
    await press(other.page.getByRole("button", { name: "Create account and sign in" }));
    await press(other.page.getByRole("link", { name: "Orders this year" }).first());
    await other.page.getByRole("heading", { level: 1, name: "Orders this year" }).waitFor();
    await other.page.locator("[data-chart] svg").first().waitFor();
    expect(done.count).toBeLessThanOrEqual(interactionsMax);
    await speaksPlainly(other.page);
  });

  /** The rows of the colleague have names for people, and titles in place of keys. */
  async function speaksPlainly(page: Page): Promise<void> {
    await page.goto("/app/data/public/table/orders");
    const grid = page.getByRole("grid", { name: "Orders" });
    const heads = grid.getByRole("columnheader");
    await heads.filter({ hasText: "Customer" }).first().waitFor();
    const texts = (await heads.allTextContents()).join(" ");
    expect(texts).toContain("Ship via");
    expect(texts).not.toContain("_");
    for (const text of ["Alfreds Futterkiste", "Nancy Davolio", "United Package"]) {
      await grid.getByText(text).first().waitFor();
    }
  }
});
