import { RowhouseError } from "@rowhouse/client";
import { expect, it } from "vitest";
import {
  type LinesDraft,
  linesOf,
  placeLineFaults,
  rebase,
  removeLine,
  restoreLine,
  setLine,
} from "../../src/records/lines/lines-draft.ts";

const row = (code: string, qty: number, etag = `"${qty}"`) => ({
  ...{ id: JSON.stringify([code]), key: [code], values: { code, qty }, etag },
});
const idOf = ({ id }: { readonly id: string }) => id;
const ecg = row("ECG", 1);

it("a line that has its stored values again is not edited", () => {
  const changed = setLine([], { id: ecg.id, base: ecg }, { qty: 2 });
  expect(linesOf([ecg], changed, idOf)[0]?.values).toEqual({ code: "ECG", qty: 2 });
  expect(setLine(changed, { id: ecg.id, base: ecg }, { qty: 1 })).toEqual([]);
});

it("a new line without a value is none", () => {
  const added = setLine([], { id: "new 1", base: undefined }, { code: "REP" });
  expect(added).toHaveLength(1);
  expect(setLine(added, { id: "new 1", base: undefined }, { code: undefined })).toEqual([]);
});

it("a new line is removed at once, a stored one with the save, and can be kept until then", () => {
  const added = setLine([], { id: "new 1", base: undefined }, { code: "REP" });
  expect(removeLine(added, { id: "new 1", base: undefined })).toEqual([]);
  const removed = removeLine([], { id: ecg.id, base: ecg });
  expect(linesOf([ecg], removed, idOf)[0]?.isRemoved).toBe(true);
  expect(restoreLine(removed, ecg.id)).toEqual([]);
});

it("a line that was just created is shown once, under the id of the new one", () => {
  const draft = setLine([], { id: "new 1", base: undefined }, { code: "REP" });
  const lines = linesOf([ecg, row("REP", 1)], draft, ({ id }) => (id === '["REP"]' ? "new 1" : id));
  expect(lines.map(({ id }) => id)).toEqual([ecg.id, "new 1"]);
});

it("what was typed in a line that another person has deleted stays", () => {
  const changed = setLine([], { id: ecg.id, base: ecg }, { qty: 2 });
  expect(linesOf([], changed, idOf)).toMatchObject([{ values: { code: "ECG", qty: 2 } }]);
});

it("after a refused save, an edit continues over the present row and names what has changed there", () => {
  const changed: LinesDraft = setLine([], { id: ecg.id, base: ecg }, { qty: 2 });
  const now = row("ECG", 8);
  expect(rebase(changed, [ecg])).toBe(changed);
  expect(rebase(changed, [now])).toMatchObject([
    { base: now, values: { qty: 2 }, theirs: { qty: 8 } },
  ]);
  // A line that was to be removed is shown as it is now first.
  expect(rebase(removeLine([], { id: ecg.id, base: ecg }), [now])).toEqual([]);
});

it("faults of a batch stand at their lines, and the others at the record", () => {
  const faults = [
    { code: "CHECK_VIOLATION", message: "too few", path: "/data/2/data/qty" },
    { code: "PRECONDITION_FAILED", message: "changed", path: "/data/1/ifMatch" },
    { code: "VALUE_INVALID", message: "no date", path: "/data/0/data/starts" },
  ] as const;
  const error = new RowhouseError({ method: "POST", path: "/api/batch", status: 400, faults });
  const columns = ["code", "qty"].map((name) => ({ name })) as never;
  const sent = ["a", "b"].map((id) => ({ id, columns }));
  const { byLine, rest } = placeLineFaults(error, 1, sent, ({ message }) => message);
  expect(byLine.get("a")?.others).toEqual(["changed"]);
  expect(byLine.get("b")?.fields.of("qty")).toBe("too few");
  expect(byLine.get("b")?.others).toEqual([]);
  expect((rest as RowhouseError).faults.map(({ message }) => message)).toEqual(["no date"]);
});
