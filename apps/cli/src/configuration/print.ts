import type { AdminOperations, Fault } from "@rowhouse/client";
import { unifiedDiff } from "@rowhouse/wire";
import { printable, printableName } from "../base/printable.ts";
import { allowOption, type Plan, stepsTaken } from "./plan/exit-code.ts";
import type { PullReport } from "./pull/pull-plan.ts";

export type Drift = AdminOperations["GET /configuration/drift"]["answer"]["data"];
type Step = Plan["steps"][number];

/** Colors a text for a terminal. */
export type Paint = (color: "red" | "green" | "yellow" | "bold" | "dim", text: string) => string;

const codes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;

/** Returns a function that colors texts, or leaves them as they are for a file, a pipe and `NO_COLOR`. */
export function painter(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const isColored = stream.isTTY === true && (environment.NO_COLOR ?? "") === "";
  return (color, text) => (isColored ? `\u001b[${codes[color]}m${text}\u001b[0m` : text);
}

/** Returns a plan as a person reads it. */
export function printPlan(plan: Plan, given: readonly string[], paint: Paint): string {
  const { notInTransaction, missing, notes, ...all } = printableOf(plan);
  const steps = stepsTaken(plan, given).map((step) => printableOf(step));
  const left = all.steps.filter(({ isOptional, needsConsent }) => {
    return isOptional && !needsConsent.every((name) => given.includes(name));
  });
  const rest = [
    ...printMissing(missing, paint),
    ...printNotes(notes, paint),
    ...printLeft(left, paint),
  ].join("");
  if (steps.length === 0) {
    const isSame = missing.length === 0 ? "Nothing to do: the service is as the files say.\n" : "";
    return isSame + rest;
  }
  const parts = steps.map((step) => printStep(step, paint));
  const ahead = notInTransaction.map((sql) => `    ${sql}\n`);
  const consents = [...new Set(steps.flatMap(({ needsConsent }) => needsConsent))];
  return [
    ...(ahead.length === 0
      ? []
      : ["Committed first, so that the steps can use it:\n", ...ahead, "\n"]),
    `${steps.length} ${steps.length === 1 ? "step" : "steps"}, in one transaction:\n\n`,
    ...parts,
    ...(consents.length === 0
      ? []
      : [`\nThis plan needs consent: ${consents.map(allowOption).join(" ")}\n`]),
    ...(rest === "" ? [] : ["\n", rest]),
  ].join("");
}

/** What the files leave to other tools, and what the database does not have. */
function printMissing(missing: Plan["missing"], paint: Paint): string[] {
  return missing.map(
    ({ document, subject, message }) =>
      `${paint("red", "!")} missing ${paint("bold", subject)}: ${message} ${paint("dim", document)}\n`,
  );
}

/** What the files say without an effect. */
function printNotes(notes: Plan["notes"], paint: Paint): string[] {
  return notes.map(
    ({ document, subject, message }) =>
      `${paint("yellow", "!")} ${paint("bold", subject)}: ${message} ${paint("dim", document)}\n`,
  );
}

/** What is in no file, and stays. */
function printLeft(steps: readonly Step[], paint: Paint): string[] {
  return steps
    .filter(({ kind }) => kind.endsWith(".drop"))
    .map(({ subject, needsConsent }) => {
      const allow = needsConsent.map(allowOption).join(" ");
      return `${paint("dim", "=")} not in files ${paint("bold", subject)}, which stays; ${allow} drops it\n`;
    });
}

function printStep(step: Step, paint: Paint): string {
  // The other consents admit a function that runs with the rights of the service's login.
  const isLoss = step.needsConsent.some((consent) => !consent.startsWith("definer:"));
  const [, verb = ""] = step.kind.split(".");
  const sign = isLoss ? "-" : verb === "create" ? "+" : "~";
  const color = isLoss ? "red" : verb === "create" ? "green" : "yellow";
  const lines = [
    `${paint(color, sign)} ${step.kind} ${paint("bold", step.subject)} ${paint("dim", step.document)}`,
    ...(isShownByChanges(step) ? [] : step.sql.map((sql) => indented(sql))),
    ...step.changes.map((change) => indented(printChange(change, paint))),
    ...(step.moreChanges === 0
      ? []
      : [`    and ${step.moreChanges} more changes, because the plan is long`]),
    ...step.locks.map(
      ({ schema, table, mode, rowEstimate, bytes }) =>
        `    locks ${schema}.${table} (${mode}), ${sizeOf(rowEstimate, bytes)}`,
    ),
    ...step.losses.map(({ object, name, note }) =>
      paint("red", `    loses the ${object} ${name}${note === null ? "" : `: ${note}`}`),
    ),
    ...step.failing.map(({ message, rows, keys }) =>
      rows === null
        ? `    not checked within the time limit: ${message}`
        : paint("red", `    fails: ${message}: ${rows} rows${exampleOf(keys)}`),
    ),
    ...(step.sessionOnly
      ? [`    only an administrator's session may apply it: ${step.document}:${step.line ?? 1}`]
      : []),
    ...step.notes.map((note) => paint("dim", `    ${note}`)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Whether the changed lines of a statement say more than the whole of it. */
function isShownByChanges({ kind, changes }: Step): boolean {
  return kind === "sql.replace" && changes.length > 0;
}

function indented(text: string): string {
  return `    ${text.replaceAll("\n", "\n    ")}`;
}

function printChange(change: Step["changes"][number], paint: Paint): string {
  const { field, before, after, diff, leftOut } = change;
  if (diff !== null) {
    const lines = printDiff(diff.trimEnd(), paint);
    const rest = `… ${leftOut} more characters, because the plan is long`;
    return [...(field === "" ? [] : [`${field}:`]), lines, ...(leftOut === 0 ? [] : [rest])].join(
      "\n",
    );
  }
  const value = before === null || after === null ? (after ?? before) : `${before} -> ${after}`;
  const sign = before === null ? "+ " : after === null ? "- " : "";
  return `${sign}${field === "" ? "" : `${field}: `}${value}`;
}

function sizeOf(rows: number | null, bytes: number | null): string {
  const size = bytes === null ? "" : `${Math.ceil(bytes / 1024).toLocaleString("en")} KiB`;
  const count = rows === null ? "" : `about ${rows.toLocaleString("en")} rows`;
  return [count, size].filter((text) => text !== "").join(", ") || "of unknown size";
}

function exampleOf(keys: Step["failing"][number]["keys"]): string {
  const [key] = keys;
  return key === undefined ? "" : `, the first with the key ${key.join(", ")}`;
}

/** Returns the differences of files as a unified diff. */
export function printDrift(drift: Drift, paint: Paint): string {
  const { lastApply, files } = printableOf(drift);
  const beside = files.filter(({ kind }) => kind === "NOT_IN_FILES").map(({ path }) => path);
  if (lastApply === null) return "Nothing has been applied yet.\n";
  const { appliedAt, appliedBy, source } = lastApply;
  const commit = source.commit === null ? "" : ` of ${source.commit}`;
  const by = appliedBy === null ? "" : ` by ${appliedBy.email}`;
  const head = `Last apply${commit}: ${appliedAt}${by}\n`;
  if (files.length === 0) return `${head}Nothing has changed since.\n`;
  const list = beside.map((path) => `not in files ${path}\n`).join("");
  return head + list + files.map((file) => printFile(file, paint)).join("");
}

function printFile({ path, before, after }: Drift["files"][number], paint: Paint): string {
  const names = [
    before === null ? "/dev/null" : path,
    after === null ? "/dev/null" : path,
  ] as const;
  const heads = names.map((name, index) => paint("bold", `${index === 0 ? "---" : "+++"} ${name}`));
  return `${heads.join("\n")}\n${printDiff(unifiedDiff(before ?? "", after ?? ""), paint)}`;
}

/** Colors the lines of a unified diff without names. */
function printDiff(diff: string, paint: Paint): string {
  return diff
    .split("\n")
    .map((line) => {
      if (line.startsWith("@@")) return paint("dim", line);
      return line.startsWith("-")
        ? paint("red", line)
        : line.startsWith("+")
          ? paint("green", line)
          : line;
    })
    .join("\n");
}

/** Returns what a pull has done, file by file. */
export function printPull(report: PullReport, folder: string): string {
  const { files, written, deleted, left, replaced } = printableOf(report);
  return [
    ...written.map((path) => `written ${path}\n`),
    ...deleted.map((path) => `deleted ${path}\n`),
    ...replaced.map(
      ({ path, variables }) =>
        `${path}: the value of the service replaces ${variables.join(", ")}\n`,
    ),
    ...left.map(({ path, reason }) => `left    ${path}: ${reason}\n`),
    `${files.length} files in ${printableName(folder)}\n`,
  ].join("");
}

/** Returns an answer without what a terminal would execute. Only SQL and the contents of files have lines. */
function printableOf<Value>(value: Value, key = ""): Value {
  if (typeof value === "string") {
    const hasLines = ["sql", "notInTransaction", "before", "after", "diff"].includes(key);
    return (hasLines ? printable(value) : printableName(value)) as Value;
  }
  if (Array.isArray(value)) return value.map((item) => printableOf(item, key)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, printableOf(item, name)]);
  return Object.fromEntries(entries) as Value;
}

/** Returns a fault with its file, line and column. */
export function printFault({ code, message, path, details = {} }: Fault): string {
  const { file, line, column } = details;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const where = place === "" ? (path ?? "") : place;
  return printableName(`${where === "" ? "" : `${where}: `}${message} (${code})`);
}
