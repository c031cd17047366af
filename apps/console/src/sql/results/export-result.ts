import { writeJson } from "@rowhouse/client";
import { textOf } from "../../records/results/result-rows.ts";
import type { SqlResult } from "../run-request.ts";

/** Formats a result as CSV. As in PostgreSQL's COPY, null is an empty cell and an empty text has quotes. */
export function csvOf({ columns, rows }: SqlResult): string {
  const lines = [columns.map(({ name }) => csvCell(name)), ...rows.map((row) => row.map(cellOf))];
  return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

function cellOf(value: unknown): string {
  const text = textOf(value);
  return text === null ? "" : csvCell(text);
}

function csvCell(text: string): string {
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a result as NDJSON. A repeated name of a column gets a number. */
export function ndjsonOf({ columns, rows }: SqlResult): string {
  const names: string[] = [];
  for (const { name } of columns) {
    let free = name;
    for (let number = 2; names.includes(free); number += 1) free = `${name}_${number}`;
    names.push(free);
  }
  return rows.map((row) => `${lineOf(names, row)}\n`).join("");
}

/** The members are written one by one: an object would put names that are numbers first. */
function lineOf(names: readonly string[], row: readonly unknown[]): string {
  const members = names.map((name, at) => `${JSON.stringify(name)}:${writeJson(row[at] ?? null)}`);
  return `{${members.join(",")}}`;
}
