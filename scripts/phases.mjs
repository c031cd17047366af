// What a person sees while the commands prepare a checkout: one line for each phase with its seconds. The output of the
// programs is in a file, whose path is printed if one of them fails.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join, relative } from "node:path";
import { root, stateFolder } from "./places.mjs";

export const isWindows = process.platform === "win32";
const marks = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** The phases that are in progress, by name, with the time of their start. */
const running = new Map();
let ticker;

/** A program of a phase that did not end with 0. The output of all of them is in `log`. */
export class PhaseError extends Error {
  constructor(name, code, log) {
    super(`${name} failed (exit code ${code}).`);
    this.code = code;
    this.log = log;
  }
}

/**
 * Runs one phase. Phases may overlap: each has its line when it ends. Progress is written to stderr, because the output of
 * some commands is read by programs.
 *
 * @param work receives a function that runs a program and logs its output
 * @throws PhaseError if a program fails
 */
export async function phase(name, work) {
  mkdirSync(stateFolder, { recursive: true });
  const log = join(stateFolder, `${name}.log`);
  writeFileSync(log, "");
  running.set(name, Date.now());
  ticker ??= setInterval(show, 100).unref();
  try {
    const result = await work((program, args, options) =>
      logged(name, log, program, args, options),
    );
    const seconds = ((Date.now() - running.get(name)) / 1000).toFixed(1);
    write(`${name.padEnd(9)}${seconds.padStart(6)} s\n`);
    return result;
  } finally {
    running.delete(name);
    if (running.size === 0) {
      clearInterval(ticker);
      ticker = undefined;
      write("");
    }
  }
}

/** Reports a failed phase with the end of its output, and exits with its code. */
export function exitWithFault(error) {
  if (!(error instanceof PhaseError)) throw error;
  const lines = readFileSync(error.log, "utf8").trimEnd().split("\n");
  process.stderr.write(`\n${lines.slice(-15).join("\n")}\n\n${error.message} `);
  process.stderr.write(`Its output is in ${relative(process.cwd(), error.log)}.\n`);
  process.exit(error.code);
}

/** Replaces the line of the phases in progress, if there is one, by a text. */
function write(text) {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : text);
}

function show() {
  if (!process.stderr.isTTY) return;
  const now = Date.now();
  const seconds = (began) => Math.floor((now - began) / 1000);
  const names = [...running].map(([name, began]) => `${name} ${seconds(began)} s`);
  write(`${marks[Math.floor(now / 100) % marks.length]} ${names.join(" · ")}`);
}

async function logged(name, log, program, args, options = {}) {
  appendFileSync(log, `$ ${[program, ...args].join(" ")}\n`);
  const code = await run(program, args, {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
    onOutput: (text) => appendFileSync(log, text),
  });
  if (code !== 0) throw new PhaseError(name, code, log);
}

/** The command that runs a TypeScript program of the checkout, on the sources of the packages. */
export function programCommand(file, ...args) {
  return [process.execPath, "--conditions=rowhouse-source", "--import", "tsx", file, ...args];
}

/**
 * Runs a program to its end, forwards signals to its process group, and returns its exit code. The group is needed because
 * a shell between npx and pnpm does not forward signals.
 */
export function run(program, args, { onOutput, env = {}, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: "inherit",
      shell: isWindows,
      detached: !isWindows,
      ...options,
      env: { ...process.env, ...env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", onOutput);
    const pass = (signal) => {
      if (isWindows) child.kill(signal);
      else if (child.pid !== undefined) process.kill(-child.pid, signal);
    };
    process.on("SIGTERM", pass).on("SIGINT", pass);
    child.on("error", (error) => {
      console.error(`${program} cannot be run: ${error.message}`);
      process.exit(1);
    });
    child.on("close", (code, signal) => {
      process.off("SIGTERM", pass).off("SIGINT", pass);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}
