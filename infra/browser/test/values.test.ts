// Tier: all. Starts a browser.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { prepareDepotJourney } from "./depot-journey.ts";

describe.runIf(hasChromium())("values that are hard to show", () => {
  const { query, open, addTables } = prepareDepotJourney();
  const record = async (id: number) => {
    const page = await open(
      "hard_values",
      `?open=${encodeURIComponent(`["depot/table/hard_values/${id}"]`)}`,
    );
    const form = page.getByRole("complementary", { name: "Record" });
    await form.getByRole("button", { name: "Close" }).waitFor();
    return { page, form };
  };

  it("an interval is typed in parts, or as PostgreSQL writes it, and an untouched one is not written", async () => {
    await addTables(
      `create table depot.hard_values (id int primary key, title text, span interval, essay text);
       insert into depot.hard_values values
         (1, 'Span', '1 year 2 mons -3 days 04:05:06.5', null),
         (2, 'Long', null, repeat('All work and no play. ', 48000)),
         (3, E'left \\u2069\\u202Egnp.exe', null, ''),
         (5, '<img src=x onerror=alert(1)>', null, '</textarea><script>alert(1)</script>'),
         (4, 'مرحبا', null, E'one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven\\neight\\nnine\\nten');`,
      "hard_values",
    );
    const { page, form } = await record(1);
    const span = form.getByRole("group", { name: "Span" });
    const part = (name: string) => span.getByRole("textbox", { name });
    expect(
      await Promise.all(
        ["Years", "Months", "Days", "Hours", "Minutes", "Seconds"].map((name) =>
          part(name).inputValue(),
        ),
      ),
    ).toEqual(["1", "2", "-3", "4", "5", "6.5"]);
    const stored = () => query("select span::text as span from depot.hard_values where id = 1");
    await part("Hours").fill("40");
    await part("Hours").fill("4");
    expect(await form.getByRole("button", { name: "Save" }).count()).toBe(0);
    await part("Minutes").fill("x");
    await form.getByText("Use whole numbers; seconds may have a fraction.").waitFor();
    await part("Minutes").fill("30");
    await part("Seconds").fill("");
    await page.keyboard.press("Control+s");
    await expect.poll(stored).toEqual([{ span: "P1Y2M-3DT4H30M" }]);
    await span.getByRole("button", { name: "As an ISO 8601 duration" }).click();
    await form.getByRole("textbox", { name: "Span" }).fill("P2DT3H");
    await page.keyboard.press("Control+s");
    await expect.poll(stored).toEqual([{ span: "P2DT3H" }]);
  });

  it("a long text shows its start, is edited as a whole with a press, and is not sent back untouched", async () => {
    const { page, form } = await record(2);
    await form.getByRole("button", { name: /^Edit in full/ }).waitFor();
    const shown = (await form.getByRole("region", { name: "Essay" }).textContent()) ?? "";
    expect(shown.length).toBe(20_001);
    const bodies: number[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") bodies.push(request.postData()?.length ?? 0);
    });
    await form.getByRole("textbox", { name: "Title" }).fill("Longer");
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => query("select title, length(essay) from depot.hard_values where id = 2"))
      .toEqual([{ title: "Longer", length: 1_056_000 }]);
    expect(Math.max(...bodies)).toBeLessThan(2_000);
    await form.getByRole("button", { name: /^Edit in full/ }).click();
    expect((await form.getByRole("textbox", { name: "Essay" }).inputValue()).length).toBe(
      1_056_000,
    );
  });

  it("a text of many lines grows to eight of them and scrolls", async () => {
    const { form } = await record(4);
    const lines = await form.getByRole("textbox", { name: "Essay" }).evaluate((field) => {
      const line = Number.parseFloat(getComputedStyle(field).lineHeight);
      return { shown: field.clientHeight / line, all: field.scrollHeight / line };
    });
    expect(Math.floor(lines.shown)).toBe(8);
    expect(lines.all).toBeGreaterThan(10);
  });

  it("a hostile direction mark turns nothing around outside of its value, and empty values are not selected", async () => {
    const { page, form } = await record(3);
    const grid = page.getByRole("grid");
    const cell = grid.getByText("gnp.exe").first();
    const text = (await cell.textContent()) ?? "";
    expect(text).toBe("left \u202egnp.exe\u202c");
    await form.getByRole("heading").first().waitFor();
    const empty = grid.getByText("empty text", { exact: true }).first();
    expect(await empty.evaluate((one) => getComputedStyle(one).userSelect)).toBe("none");
  });

  it("markup in a value is shown as its characters, in the grid, the record and its title", async () => {
    const { page, form } = await record(5);
    const markup = "<img src=x onerror=alert(1)>";
    await page.getByRole("grid").getByText(markup, { exact: true }).first().waitFor();
    await form.getByRole("heading", { name: markup }).waitFor();
    expect(await form.getByRole("textbox", { name: "Essay" }).inputValue()).toBe(
      "</textarea><script>alert(1)</script>",
    );
    expect(await page.locator("img[onerror], body script:not([src])").count()).toBe(0);
  });
});
