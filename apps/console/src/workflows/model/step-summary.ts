import { writeCode } from "./code-text.ts";
import { fieldOf, isJsonObject, kindOf } from "./definition.ts";

/** Characters of a summary; a line of the tree has no room for more. */
const summaryMax = 120;

/** The fields that tell steps of a kind apart, the most telling first. */
const tellingFields: Readonly<Record<string, readonly string[]>> = {
  listRows: ["table"],
  getRow: ["table"],
  createRow: ["table"],
  updateRows: ["table"],
  deleteRows: ["table"],
  httpRequest: ["method", "url"],
  sendEmail: ["subject"],
  renderDocument: ["template"],
  storeFile: ["name"],
  readFile: ["file"],
  runWorkflow: ["workflow"],
  delay: ["seconds", "until"],
  condition: ["expression"],
  switch: ["value"],
  forEach: ["items"],
  fail: ["message"],
  finish: ["result"],
};

/** Returns in a few words what a step does, in the words of its definition; empty if it says nothing yet. */
export function summaryOf(step: unknown): string {
  if (!isJsonObject(step)) return short(step);
  const kind = kindOf(step);
  if (kind === "setValues") return namesOf(fieldOf(step, "values"));
  return (tellingFields[kind] ?? [])
    .map((name) => short(fieldOf(step, name)).replace(/^https:\/\//, ""))
    .join(" ")
    .trim();
}

/** Returns in a few words when a trigger starts a run. */
export function triggerSummary(trigger: unknown): string {
  const names: Readonly<Record<string, readonly string[]>> = {
    webhook: ["method", "access"],
    schedule: ["cron", "timeZone"],
    databaseEvent: ["table", "on"],
  };
  const shown = names[kindOf(trigger)] ?? [];
  return shown
    .map((name) => short(fieldOf(trigger, name)))
    .join(" ")
    .trim();
}

function namesOf(values: unknown): string {
  return isJsonObject(values) ? Object.keys(values).join(", ").slice(0, summaryMax) : "";
}

function short(value: unknown): string {
  if (value === undefined || value === null) return "";
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  const text = typeof value === "string" ? value : isList ? value.join(", ") : writeCode(value);
  return text.replace(/\s+/g, " ").slice(0, summaryMax);
}

/** Returns the title of a list of inner steps; one of several cases has its number. */
export function branchTitle(keys: readonly string[], title: string): string {
  const [name = "", position] = keys;
  const shown = title || name;
  return name === "cases" ? `${shown} ${Number(position) + 1}` : shown;
}
