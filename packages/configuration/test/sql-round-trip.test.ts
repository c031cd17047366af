// Tier: all. Applies a catalogue with one of each kind of object to an empty database.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { catalogueLines } from "../../ddl/test/catalogue/catalogue-lines.ts";
import { openConfigurator, stepsOf } from "./configuration.ts";

const kinds = new URL("../../ddl/test/catalogue/kinds.sql", import.meta.url);

describe("files of the catalogue", () => {
  it("give an empty database the same catalogue", { timeout: 120_000 }, async () => {
    const [source, target] = [await openConfigurator(), await openConfigurator()];
    const text = await readFile(kinds, "utf8");
    await source.database.transaction((transaction) => transaction.query(text));
    const files = await source.pull();
    const same = await source.plan(files);
    expect([stepsOf(same), same.missing]).toEqual([[], []]);
    const plan = await target.set(files);
    expect(plan.missing.map(({ subject }) => subject)).toEqual([
      "serial yard.stops.id",
      "yard.turned",
    ]);
    const isSerial = (line: string) =>
      /^column yard.stops id |^sequence yard.stop_numbers /.test(line);
    const [before, after] = await Promise.all(
      [source, target].map(async ({ database }) => {
        return (await catalogueLines(database)).filter((line) => !isSerial(line));
      }),
    );
    expect(after).toEqual(before);
    expect(await target.pull()).toEqual(files);
    expect(stepsOf(await target.plan(files))).toEqual([]);
  });
});
