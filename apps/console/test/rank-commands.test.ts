import { expect, it } from "vitest";
import type { Command } from "../src/shell/commands.ts";
import { rankCommands } from "../src/shell/rank-commands.ts";

const command = (label: string, detail?: string): Command => ({
  id: label,
  group: "tables",
  label,
  ...(detail === undefined ? {} : { detail }),
  run: () => {},
});

const commands = [
  command("Workshop visits", "fleet.workshop_visits"),
  command("Vehicles", "fleet.vehicles"),
  command("Vehicle overview", "fleet.vehicle_overview"),
  command("Müller", "sales"),
  command("جدول المركبات", "fleet"),
  command("Theme: Dark"),
];

const found = (typed: string, limit = 9) =>
  rankCommands(commands, typed, limit).map(({ label }) => label);

it("the command whose label begins with the text is first, the shortest before the others", () => {
  expect(found("vehicle")).toEqual(["Vehicles", "Vehicle overview"]);
  expect(found("vehicles")[0]).toBe("Vehicles");
});

it("every word must occur, in any order, with or without accents and capitals", () => {
  expect(found("VISITS work")).toEqual(["Workshop visits"]);
  expect(found("muller")).toEqual(["Müller"]);
  expect(found("visits nothing")).toEqual([]);
  expect(found("المركبات")).toEqual(["جدول المركبات"]);
});

it("letters in order find a command, after those that contain the text", () => {
  expect(found("wkshp")).toEqual(["Workshop visits"]);
  expect(found("xqz")).toEqual([]);
});

it("the detail is searched after the label", () => {
  expect(found("fleet veh")).toEqual(["Vehicles", "Vehicle overview"]);
});

it("without a text the first commands are returned", () => {
  expect(found("  ", 2)).toEqual(["Workshop visits", "Vehicles"]);
});
