import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { type Client, RowhouseError } from "@rowhouse/client";
import { CommandError, sentenceOf } from "../base/command-error.ts";
import { printableJson, printableName } from "../base/printable.ts";
import { openClient, strangeAnswer } from "../base/service-error.ts";
import { type ConfigurationCommand, type ConfigurationOptions, planOptions } from "./arguments.ts";
import { listStrangers, readExactly, readFolder } from "./folder.ts";
import { type Plan, painter, printDrift, printFault, printPlan, printPull } from "./print.ts";
import { partsIn, pull, rootPath } from "./pull.ts";
import { type SecretOptions, setSecret } from "./set-secret.ts";

/** How a command ends, for programs that read its exit code. */
const exitCodes = { done: 0, fault: 1, changes: 2, drift: 3 } as const;

/**
 * Runs a command.
 *
 * @returns the exit code
 * @throws CommandError for what its reader can mend
 */
export async function runConfiguration(
  command: ConfigurationCommand,
  options: ConfigurationOptions,
): Promise<number> {
  const client = openClient(options.url, options.token);
  const run = { pull: runPull, plan, apply, drift }[command];
  return withSentences(options.url, () => run(client, options));
}

/** The service returns at most so many faults. */
const faultsMax = 20;

/** Runs `rowhouse secret set`. */
export async function runSecret({ url, token, name, audience }: SecretOptions): Promise<void> {
  await withSentences(url, () => setSecret(openClient(url, token), name, audience));
}

/** @throws CommandError for an error of the service, with every fault */
async function withSentences<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RowhouseError)) throw error;
    const sentence = strangeAnswer(error, url);
    if (sentence !== undefined) throw new CommandError(sentence);
    const more = error.faults.length < faultsMax ? [] : ["There may be more faults."];
    throw new CommandError([...error.faults.map(printFault), ...more].join("\nrowhouse: "));
  }
}

async function runPull(client: Client, options: ConfigurationOptions): Promise<number> {
  const report = await pull(client, options);
  say(options, report, printPull(report, options.folder));
  return exitCodes.done;
}

async function plan(client: Client, options: ConfigurationOptions): Promise<number> {
  const made = await makePlan(client, options);
  if (options.out !== undefined) {
    const text = `${JSON.stringify(made, null, 2)}\n`;
    await writeFile(options.out, text).catch((error: Error) => {
      throw new CommandError(`The file cannot be written: ${error.message}.`);
    });
  }
  say(options, made, printPlan(made, paint()));
  return made.steps.length === 0 ? exitCodes.done : exitCodes.changes;
}

async function makePlan(client: Client, options: ConfigurationOptions): Promise<Plan> {
  const files = await readFolder(options.folder);
  const count = Object.keys(files).length;
  if (count === 0) {
    throw new CommandError(`${options.folder} has no files; rowhouse pull writes them.`);
  }
  await warnOfStrangers(options.folder);
  const data = { files, options: planOptions(options) };
  try {
    return (await client.admin.post("/configuration/plan", { data })).data;
  } catch (error) {
    if (!(error instanceof RowhouseError) || error.status !== 413) throw error;
    const bytes = Buffer.byteLength(JSON.stringify({ data }));
    throw new CommandError(
      `The ${count} files are a request of ${bytes} bytes, which is more than the service accepts. An administrator can raise its setting limits.body_bytes, or plan parts of them with --part.`,
    );
  }
}

const strangersMax = 20;

/** Names what looks like a file of the configuration and is none, so that nobody takes it for applied. */
async function warnOfStrangers(folder: string): Promise<void> {
  const strangers = await listStrangers(folder);
  for (const { path, reason } of strangers.slice(0, strangersMax)) {
    process.stderr.write(`rowhouse: ${printableName(path)} is not read: ${reason}.\n`);
  }
  const more = strangers.length - strangersMax;
  if (more > 0) process.stderr.write(`rowhouse: ${more} more are not read.\n`);
}

async function apply(client: Client, options: ConfigurationOptions): Promise<number> {
  const isStored = options.plan !== undefined;
  const made = isStored ? await readPlan(options.plan ?? "") : await makePlan(client, options);
  if (!options.json) process.stdout.write(printPlan(made, paint()));
  // A plan without steps changes nothing, but what has changed beside the files is theirs from now on.
  const isEmpty = made.steps.length === 0;
  if (!options.yes && !isEmpty) await confirm();
  const { planId, digest } = made;
  const source = options.source;
  const data = { planId, digest, consents: [...options.consents], source };
  const applied = (await client.admin.post("/configuration/apply", { data })).data;
  say(options, applied, isEmpty ? "" : `Applied ${applied.steps} steps.\n`);
  return exitCodes.done;
}

async function readPlan(path: string): Promise<Plan> {
  try {
    const plan = JSON.parse(await readFile(path, "utf8")) as Plan;
    if (typeof plan.planId === "string" && Array.isArray(plan.steps)) return plan;
  } catch (error) {
    throw new CommandError(`The plan cannot be read: ${sentenceOf(error)}`);
  }
  throw new CommandError(`${path} is no plan; rowhouse plan --out writes one.`);
}

/** Asks on the terminal; without one, nobody can answer. */
async function confirm(): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new CommandError("Without a terminal, apply needs --yes.");
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question("\nApply it? Type yes: ").finally(() => lines.close());
  if (answer.trim() !== "yes") throw new CommandError("Nothing was applied.");
}

async function drift(client: Client, options: ConfigurationOptions): Promise<number> {
  const parts = options.parts ?? partsIn((await readExactly(options.folder)).get(rootPath));
  const query = parts === undefined ? {} : { part: parts.join(",") };
  const { data } = await client.admin.get("/configuration/drift", { query });
  say(options, data, printDrift(data, paint()));
  return data.files.length === 0 ? exitCodes.done : exitCodes.drift;
}

function paint() {
  return painter(process.stdout, process.env);
}

function say({ json }: ConfigurationOptions, answer: object, text: string): void {
  process.stdout.write(json ? printableJson(answer) : text);
}
