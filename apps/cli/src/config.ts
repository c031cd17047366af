import { parseArgs } from "node:util";
import type { BackupOptions } from "./backup/variables.ts";
import { CommandError } from "./base/command-error.ts";
import {
  type ConfigurationCommand,
  type ConfigurationOptions,
  configurationCommands,
  configurationUsage,
  readConfigurationOptions,
} from "./configuration/arguments.ts";
import { type SecretOptions, secretAudiences } from "./configuration/set-secret.ts";

/** What `rowhouse types` takes. */
export type TypesOptions = {
  readonly url: string;
  readonly token: string;
  /** File to write; null for the standard output. */
  readonly out: string | null;
};

/** What `rowhouse mcp` takes. */
export type McpOptions = Pick<TypesOptions, "url" | "token">;

/** What `rowhouse files move` takes. */
export type MoveFilesOptions = {
  /** A folder, or `s3://bucket/prefix`. */
  readonly from: string;
  readonly to: string;
  /** The other variables of S3. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** A command as it was entered. */
export type CliCommand =
  | { readonly kind: "HELP" }
  | { readonly kind: "TYPES"; readonly options: TypesOptions }
  | { readonly kind: "MCP"; readonly options: McpOptions }
  | {
      readonly kind: "CONFIGURATION";
      readonly command: ConfigurationCommand;
      readonly options: ConfigurationOptions;
    }
  | { readonly kind: "SECRET_SET"; readonly options: SecretOptions }
  | { readonly kind: "FILES_MOVE"; readonly options: MoveFilesOptions }
  | { readonly kind: "BACKUP" | "RESTORE"; readonly options: BackupOptions };

export const usage = `${configurationUsage}
Usage: rowhouse types --url <url> --token <token> [--out <file>]

Writes the TypeScript types of the tables and views that the token can use, for @rowhouse/client.

  --url    address of the service, or ROWHOUSE_URL
  --token  personal access token, or ROWHOUSE_TOKEN; other users of this computer can read the
           arguments of a command
  --out    file to write; the standard output by default

Usage: rowhouse mcp --url <url> --token <token>

Serves MCP on the standard input and output, for clients that start a program; it forwards each message to
the service, where mcp.enabled must be on.

Usage: rowhouse files move --from <place> --to <place>

Copies the bytes of all files to another storage, and compares each object by its digest. A place is a
folder, or s3://bucket/prefix with the variables S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID and so on. Run it
again after an error, and once more after the service has stopped.

Usage: rowhouse backup --to <folder> [--without-secret]

Writes the database, the bytes of files and the secret to a new folder. It reads the variables of the service
(DATABASE_URL, SYSTEM_DATABASE_URL, MIGRATIONS_DATABASE_URL, FILES_DIR or S3_BUCKET, ROWHOUSE_SECRET and so on) and
needs pg_dump.

Usage: rowhouse restore --from <folder>

Restores such a folder into an empty database and an empty storage, which the same variables name.

In a checkout of Rowhouse, write npm run --silent rowhouse -- for rowhouse.
`;

/**
 * Reads the arguments and the environment.
 *
 * @throws CommandError for anything unknown or missing
 */
export function readCommand(
  args: readonly string[] = process.argv.slice(2),
  environment: Readonly<Record<string, string | undefined>> = process.env,
): CliCommand {
  const [first, ...rest] = args;
  const configuring = configurationCommands.find((name) => name === first);
  if (configuring !== undefined && !rest.some((one) => one === "--help" || one === "-h")) {
    const options = readConfigurationOptions(rest, environment);
    return { kind: "CONFIGURATION", command: configuring, options };
  }
  const { values, positionals } = parsed(args);
  if (values.help === true) return { kind: "HELP" };
  const command = positionals.join(" ");
  if (command === "files move") {
    const options = {
      from: required(values.from, "--from"),
      to: required(values.to, "--to"),
      environment,
    };
    return { kind: "FILES_MOVE", options };
  }
  const [, secret] = /^secret set ([^ ]+)$/.exec(command) ?? [];
  if (secret !== undefined) {
    const audience = secretAudiences.find((one) => one === values.for);
    if (audience === undefined) {
      throw new CommandError(
        "--for must be workflows or providers: a secret serves one of them, never both.",
      );
    }
    return {
      kind: "SECRET_SET",
      options: { ...connection(values, environment), name: secret, audience },
    };
  }
  if (command === "backup" || command === "restore") {
    const folder =
      command === "backup" ? required(values.to, "--to") : required(values.from, "--from");
    const withoutSecret = values["without-secret"] === true;
    return {
      kind: command === "backup" ? "BACKUP" : "RESTORE",
      options: { folder, withoutSecret, environment },
    };
  }
  if (command !== "types" && command !== "mcp") {
    const found = command === "" ? "A command is missing" : "Unknown command";
    throw new CommandError(
      `${found}; the commands are pull, plan, apply, drift, secret set, types, mcp, files move, backup and restore.`,
    );
  }
  const options = connection(values, environment);
  if (command === "mcp") return { kind: "MCP", options };
  return { kind: "TYPES", options: { ...options, out: values.out ?? null } };
}

function connection(
  { url, token }: { readonly url?: string | undefined; readonly token?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): McpOptions {
  return {
    url: required(url ?? environment.ROWHOUSE_URL, "--url or ROWHOUSE_URL"),
    token: required(token ?? environment.ROWHOUSE_TOKEN, "--token or ROWHOUSE_TOKEN"),
  };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    url: text,
    token: text,
    out: text,
    from: text,
    to: text,
    "without-secret": { type: "boolean" },
    for: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Only the first sentence: the message may continue with advice on how to escape an argument.
    const [reason] = error instanceof Error ? error.message.split(". ") : [];
    throw new CommandError(
      `${reason}; the options are --url, --token, --out, --from, --to, --for and --without-secret.`,
    );
  }
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new CommandError(`${name} is required.`);
  return value;
}
