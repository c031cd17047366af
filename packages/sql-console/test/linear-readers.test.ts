// Tiers: all, long. Counts the steps of a reading; with five times as many texts in a long run.
import { hostileUnits, openStepCounter } from "@rowhouse/testing";
import { afterAll, expect, it } from "vitest";
import { splitStatements } from "../src/split-statements.ts";

const counter = await openStepCounter();
afterAll(() => counter.close());

it("twice the SQL takes at most in proportion more steps to split", async () => {
  const units = [
    ...hostileUnits,
    "$a$",
    "$a",
    "$$",
    "/*",
    "*/",
    "--",
    "--\n",
    "E'\\",
    "U&'",
    "begin;",
    "create function ",
  ];
  expect(await counter.findExcess(splitStatements, units)).toEqual([]);
}, 120_000);
