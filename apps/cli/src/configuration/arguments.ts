import { parseArgs } from "node:util";
import type { AdminOperations } from "@rowhouse/client";
import { CommandError } from "../base/command-error.ts";

/** Which service, and with which rights. */
export type Connection = { readonly url: string; readonly token: string };

/** What `rowhouse pull`, `plan`, `apply` and `drift` take. */
export type ConfigurationOptions = Connection & {
  /** The folder of the files. */
  readonly folder: string;
  /** Only these parts; undefined for those that the files name. */
  readonly parts: readonly string[] | undefined;
  /** The name of a file in `environments/`. */
  readonly environment: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly json: boolean;
  /** Where `plan` stores the plan. */
  readonly out: string | undefined;
  /** The file or the id of the stored plan that `apply` applies. */
  readonly plan: string | undefined;
  readonly consents: readonly string[];
  /** Whether `apply` asks nobody. */
  readonly yes: boolean;
  /** Whether `pull` replaces what was changed in the files. */
  readonly force: boolean;
  readonly source: { readonly commit?: string; readonly url?: string };
  /** How long `apply` asks for an answer that was lost, in milliseconds. */
  readonly patienceMs: number;
};

type PlanOptions = NonNullable<AdminOperations["POST /configuration/plan"]["data"]["options"]>;

export const configurationCommands = ["pull", "plan", "apply", "drift"] as const;
export type ConfigurationCommand = (typeof configurationCommands)[number];

export const configurationUsage = `Usage: rowhouse pull|plan|apply|drift [<folder>] --url <url> --token <token>

Keeps the configuration of a service as files. pull writes the files of a folder (by default the current one),
plan shows what they would change, apply does it in one transaction, and drift shows what has changed beside
them since the last apply.

  --part         only these parts, separated by commas: tables,roles
  --environment  name of a file in environments/ whose values replace \${NAME}
  --var          a value of its own: --var NAME=value; may be repeated
  --json         the answer as JSON, for programs
  --force        pull: takes the state of the service where a file was changed as well
  --out          plan: file that receives the plan
  --plan         apply: applies exactly this plan, or nothing; a file of plan --out, or the id of a plan
  --allow        plan, apply: consents to a loss that the plan names: --allow drop:fleet.trips.note; may be repeated
  --yes          apply: does not ask; required without a terminal
  --wait         apply: how long it asks for an answer that was lost, in seconds; 300 by default
  --commit       apply: the commit of the files, by default GITHUB_SHA or CI_COMMIT_SHA
  --source-url   apply: where the commit can be read

Usage: rowhouse secret set <NAME> --for workflows|providers --url <url> --token <token>

Stores a secret that files name: workflows ({{secrets.NAME}}) or providers ({ secret: NAME }), never both. The value comes from the standard input, or is typed without
being shown; it is never an argument.

pull, plan, apply and drift exit with 0 if there is nothing to do or the plan is applied, 1 after a fault (nothing was
applied), 2 if a plan has changes, 3 if there is drift, 4 if it is unknown whether the plan was applied, because the
answer was lost, and 5 if something is missing: a consent, rows on which the plan would fail, or what
the files do not carry; the output says whether anything was applied.
`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const list = { type: "string", multiple: true } as const;
const optionsOf = {
  ...{ url: text, token: text, part: list, environment: text, var: list, json: flag },
  ...{
    out: text,
    plan: text,
    allow: list,
    yes: flag,
    force: flag,
    commit: text,
    "source-url": text,
    wait: text,
  },
} as const;

/**
 * Reads the arguments after the command.
 *
 * @throws CommandError for anything unknown or missing
 */
export function readConfigurationOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ConfigurationOptions {
  const { values, positionals } = parse(args);
  const [folder = ".", ...more] = positionals;
  if (more.length > 0)
    throw new CommandError(`There is one folder, and ${more[0]} is another one.`);
  const commit = values.commit ?? environment.GITHUB_SHA ?? environment.CI_COMMIT_SHA;
  const sourceUrl = values["source-url"];
  const { wait = "300" } = values;
  if (!/^[0-9]{1,5}$/.test(wait)) {
    throw new CommandError("--wait must be a whole number of seconds, at most 99999.");
  }
  return {
    url: required(values.url ?? environment.ROWHOUSE_URL, "--url or ROWHOUSE_URL"),
    token: required(values.token ?? environment.ROWHOUSE_TOKEN, "--token or ROWHOUSE_TOKEN"),
    folder,
    parts: values.part?.flatMap((names) => names.split(",")),
    environment: values.environment,
    variables: Object.fromEntries((values.var ?? []).map(readVariable)),
    json: values.json === true,
    ...{ out: values.out, plan: values.plan, consents: values.allow ?? [] },
    ...{ yes: values.yes === true, force: values.force === true },
    source: {
      ...(commit === undefined || commit === "" ? {} : { commit }),
      ...(sourceUrl === undefined ? {} : { url: sourceUrl }),
    },
    patienceMs: Number(wait) * 1000,
  };
}

/** Returns the options of a plan, as the service takes them. */
export function planOptions({ environment, variables, parts }: ConfigurationOptions): PlanOptions {
  return {
    ...(environment === undefined ? {} : { environment }),
    variables,
    // The service checks the names.
    ...(parts === undefined ? {} : { parts: parts as NonNullable<PlanOptions["parts"]> }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: optionsOf, allowPositionals: true });
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split(". ") : [];
    throw new CommandError(`${reason}; rowhouse --help lists the options.`);
  }
}

function readVariable(pair: string): [string, string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(pair) ?? [];
  if (name === undefined || value === undefined) {
    throw new CommandError(
      "A variable is NAME=value, and its name has capital letters, digits and _.",
    );
  }
  return [name, value];
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new CommandError(`${name} is required.`);
  return value;
}
