import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { type Client, RowhouseError } from "@rowhouse/client";
import { meantConsents } from "@rowhouse/wire";
import { CommandError, sentenceOf } from "../base/command-error.ts";
import { printableJson, printableName } from "../base/printable.ts";
import { openClient, strangeAnswer } from "../base/service-error.ts";
import { type ConfigurationCommand, type ConfigurationOptions, planOptions } from "./arguments.ts";
import { listStrangers, readExactly, readFolder } from "./folder.ts";
import { applyOnce, makePlanOf, readMade } from "./plan/ask-service.ts";
import { codeOfPlan, exitCodes, missingIn, type Plan } from "./plan/exit-code.ts";
import { painter, printDrift, printFault, printPlan, printPull } from "./print.ts";
import { partsIn, pull, rootPath } from "./pull/pull.ts";
import { type SecretOptions, setSecret } from "./set-secret.ts";

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
    const isMissing = error.faults.every(({ details }) => details?.missing === true);
    const reason = "Nothing was applied: the database lacks what the files do not carry.";
    throw new CommandError(
      [...error.faults.map(printFault), ...more, ...(isMissing ? [reason] : [])].join(
        "\nrowhouse: ",
      ),
      isMissing ? exitCodes.missing : exitCodes.fault,
    );
  }
}

async function runPull(client: Client, options: ConfigurationOptions): Promise<number> {
  const report = await pull(client, options);
  say(options, report, printPull(report, options.folder));
  return exitCodes.done;
}

async function plan(client: Client, options: ConfigurationOptions): Promise<number> {
  const made = await makePlan(client, options);
  const consents = consentsOf(made, options);
  if (options.out !== undefined) {
    const text = `${JSON.stringify(made, null, 2)}\n`;
    await writeFile(options.out, text).catch((error: Error) => {
      throw new CommandError(`The file cannot be written: ${error.message}.`);
    });
  }
  say(options, made, printPlan(made, consents, paint()));
  return codeOfPlan(made, consents);
}

function consentsOf({ steps }: Plan, { consents }: ConfigurationOptions): string[] {
  const known = steps.flatMap(({ needsConsent }) => needsConsent);
  return meantConsents(known, consents);
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
    return await makePlanOf(client, data, options.patienceMs);
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
  const { source, patienceMs } = options;
  const made =
    options.plan === undefined
      ? await makePlan(client, options)
      : await readStored(client, options.plan, patienceMs);
  const consents = consentsOf(made, options);
  if (!options.json) process.stdout.write(printPlan(made, consents, paint()));
  // The plan was applied by an earlier command, whose answer may have been lost.
  if (made.state !== "APPLIED") {
    const missing = missingIn(made, consents);
    if (missing.length > 0) {
      throw new CommandError(`${missing.join(" ")} Nothing was applied.`, exitCodes.missing);
    }
    if (!options.yes) await confirm();
  }
  const data = { consents, source };
  const applied = await applyOnce(client, made, data, patienceMs);
  // A plan without steps changes nothing, but what has changed beside the files is theirs from now on.
  const done = applied.steps === 0 ? "" : `Applied ${applied.steps} steps.\n`;
  const lacking = made.missing.length === 0 ? "" : "What is named above is still missing.\n";
  const said = applied.isRepeated ? "The plan was already applied.\n" : done;
  say(options, applied, `${said}${lacking}`);
  return made.missing.length === 0 ? exitCodes.done : exitCodes.missing;
}

/**
 * Reads a stored plan from the service, by its id or by the id in a file: what else the file says may have been changed.
 *
 * @throws CommandError for a file without a plan, or with another one than the service has stored under its id
 */
async function readStored(client: Client, plan: string, patienceMs: number): Promise<Plan> {
  if (isId.test(plan)) return readMade(client, plan, patienceMs);
  const { planId, digest } = await readPlanFile(plan);
  const stored = await readMade(client, planId, patienceMs);
  if (stored.digest === digest) return stored;
  throw new CommandError(
    `${plan} is not the plan that the service has stored. Nothing was applied.`,
  );
}

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function readPlanFile(path: string): Promise<Pick<Plan, "planId" | "digest">> {
  try {
    const plan = JSON.parse(await readFile(path, "utf8")) as Partial<Plan> | null;
    const { planId, digest } = plan ?? {};
    if (typeof planId === "string" && isId.test(planId) && typeof digest === "string") {
      return { planId, digest };
    }
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
