import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Journey } from "./journey.ts";

/** Adds the tests of editors that the other tests of the grid do not use. */
export function testEditors(
  journey: Journey,
  open: (name: string, search: string) => Promise<Page>,
): void {
  const record = async (id: number) => {
    const path = encodeURIComponent(`["depot/table/every_type/${id}"]`);
    const page = await open("every_type", `?open=${path}`);
    return { page, form: page.getByRole("complementary", { name: "Record" }) };
  };
  const query = (text: string) => journey.service.test.database.query(text);

  it("uploads bytes into a record, and saves them as the file that they were", async () => {
    const { page, form } = await record(2);
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const editor = form.getByRole("group", { name: "Some bytes" });
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      editor.getByRole("button", { name: "Upload: Some bytes" }).click(),
    ]);
    await chooser.setFiles({ name: "a.bin", mimeType: "application/x-any", buffer: bytes });
    await editor.getByRole("button", { name: "Save as a file: Some bytes" }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByText("Undo").waitFor();
    expect(
      await query(
        "select length(some_bytes), md5(some_bytes) = md5(decode((select string_agg(lpad(to_hex(n % 256), 2, '0'), '' order by n) from generate_series(0, 69999) n), 'hex')) as same from depot.every_type where id = 2",
      ),
    ).toEqual([{ length: 70_000, same: true }]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      editor.getByRole("button", { name: "Save as a file: Some bytes" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("some_bytes.bin");
    expect((await readFile(await download.path())).equals(bytes)).toBe(true);
  });

  it("changes the ends of a range, keeps a text that is no end, and stores the corrected one", async () => {
    const { page, form } = await record(1);
    const editor = form.getByRole("group", { name: "A range", exact: true });
    const upper = editor.getByRole("textbox", { name: "A range: to" });
    expect(await editor.getByRole("textbox", { name: "A range: from" }).inputValue()).toBe("1");
    expect(await upper.inputValue()).toBe("10");
    await upper.fill("many");
    await page.keyboard.press("Control+s");
    await form.getByRole("alert").first().waitFor();
    expect(await upper.inputValue()).toBe("many");
    await upper.fill("20");
    await editor.getByRole("checkbox", { name: "Including the end" }).check();
    await upper.press("Control+s");
    await page.getByText("Undo").waitFor();
    const stored = "select a_range::text as a_range from depot.every_type where id = 1";
    expect(await query(stored)).toEqual([{ a_range: "[1,21)" }]);
    await editor.getByRole("textbox", { name: "A range: from" }).fill("");
    await upper.press("Control+s");
    await expect.poll(() => query(stored)).toEqual([{ a_range: "(,21)" }]);
  });
}
