import { parseArgs } from "node:util";
import { CommandError } from "./command-error.ts";

/** What `rowhouse types` takes. */
export type TypesOptions = {
  readonly url: string;
  readonly token: string;
  /** File to write; null for the standard output. */
  readonly out: string | null;
};

/** A command as it was entered. */
export type Command =
  | { readonly kind: "HELP" }
  | { readonly kind: "TYPES"; readonly options: TypesOptions };

export const usage = `Usage: rowhouse types --url <url> --token <token> [--out <file>]

Writes the TypeScript types of the tables and views that the token can use, for @rowhouse/client.

  --url    address of the service, or ROWHOUSE_URL
  --token  personal access token, or ROWHOUSE_TOKEN; other users of this computer can read the
           arguments of a command
  --out    file to write; the standard output by default
`;

/**
 * Reads the arguments and the environment.
 *
 * @throws CommandError for anything unknown or missing
 */
export function readCommand(
  args: readonly string[] = process.argv.slice(2),
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Command {
  const { values, positionals } = parsed(args);
  if (values.help === true) return { kind: "HELP" };
  const [command, ...more] = positionals;
  if (command !== "types" || more.length > 0) {
    const found = command === undefined ? "A command is missing" : "Unknown command";
    throw new CommandError(`${found}; the command is types.`);
  }
  return {
    kind: "TYPES",
    options: {
      url: required(values.url ?? environment.ROWHOUSE_URL, "--url or ROWHOUSE_URL"),
      token: required(values.token ?? environment.ROWHOUSE_TOKEN, "--token or ROWHOUSE_TOKEN"),
      out: values.out ?? null,
    },
  };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    url: text,
    token: text,
    out: text,
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Only the first sentence: the message may continue with advice on how to escape an argument.
    const [reason] = error instanceof Error ? error.message.split(". ") : [];
    throw new CommandError(`${reason}; the options are --url, --token and --out.`);
  }
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new CommandError(`${name} is required.`);
  return value;
}
